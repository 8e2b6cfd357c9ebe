/** Pictures and rules of games, taken from docs/ when the page is built. A game may lack them. */

const pictures = import.meta.glob<string>('../../../docs/pictures/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
});
const rules = import.meta.glob<string>('../../../docs/rules/*.md', { import: 'default' });

const named = <T>(files: Record<string, T>, id: string, ending: string): T | undefined =>
  Object.entries(files).find(([path]) => path.endsWith(`/${id}.${ending}`))?.[1];

export const pictureOf = (id: string): string | undefined => named(pictures, id, 'svg');

/** The rules as markup; null if there are none. */
export const rulesOf = async (id: string): Promise<string | null> => (await named(rules, id, 'md')?.()) ?? null;

/** "2 to 5 players · 60 to 90 minutes" */
export function factsText({ minSeats, maxSeats, minutes }: Facts): string {
  const seats = seatsText(minSeats, maxSeats);
  if (!minutes) return seats;
  return `${seats} · ${minutes.min === minutes.max ? minutes.min : `${minutes.min} to ${minutes.max}`} minutes`;
}

interface Facts {
  minSeats: number;
  maxSeats: number;
  minutes: { min: number; max: number } | null;
}

const seatsText = (min: number, max: number): string => (min === max ? `${min} players` : `${min} to ${max} players`);

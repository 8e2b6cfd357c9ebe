/** How the page calls seats, in the same way as the pictures of boards. */

/** The letter by which pictures call a seat. */
export const letterOf = (seat: number): string => String.fromCharCode(65 + seat);

/** The name of the player in a seat, with the seat's letter where several at the table have this name, as bots do. */
export function seatName(seats: readonly { player: { name: string } | null }[], index: number): string {
  const name = seats[index]?.player?.name;
  if (name === undefined) return `Seat ${letterOf(index)}`;
  return seats.filter(({ player }) => player?.name === name).length > 1 ? `${name} (${letterOf(index)})` : name;
}

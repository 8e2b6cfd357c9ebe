/** What a name looks like: two names that a hurried reader takes for one have the same skeleton. */

/** Letters of other scripts, and of our own, that look like a Latin one. By shape, so before letters are made small. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  // Cyrillic
  ...pairs('АВЕЗКМНОРСТУХЅІЈԌԚԜҮҺ', 'ABE3KMHOPCTYXSIJGQWYh'),
  ...pairs('авеозкмнрстухѕіјԍԛԝүһӏѵгпьӀ', 'abeo3kmhpctyxsijgqwyhlvrnbl'),
  // Greek
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺ', 'ABEZHIKMNOPTYXCM'),
  ...pairs('αβγεικνορτυχωϲϳηο', 'abyeikvoptuxwcjno'),
  // Armenian, Hebrew, Cherokee and others
  ...pairs('ՍոսօցհգզքԼՏᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏚᎢᏙᎳᏃיוס', 'UnuoghqqpLSABCDEHJKLMPSTVWZilo'),
  // Latin letters with a stroke or without a dot, and small capitals
  ...pairs('øđłħŧƀɨıɡɑʟʀɴɪɢʙʜʏᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꜱ', 'odlhtbiigalrnigbhyacdejkmoptuvwzs'),
  ...pairs('ØĐŁĦŦɃ', 'ODLHTB'),
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'p',
  Æ: 'AE',
  Œ: 'OE',
};

function pairs(from: string, to: string): Record<string, string> {
  const latin = [...to];
  return Object.fromEntries([...from].map((letter, i) => [letter, latin[i] as string]));
}

/** After all letters are small: digits and letters that stand in for each other. */
const ALIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '3': 'e',
  '5': 's',
  $: 's',
  '@': 'a',
  '|': 'l',
  '!': 'l',
};

export function skeleton(name: string): string {
  // Twice: a letter may show its likeness only once its accents, or the circle around it, are gone.
  const plain = unaccented(like(unaccented(like(name)))).toLowerCase();
  return [...plain]
    .map((letter) => ALIKE[letter] ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}\p{Extended_Pictographic}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

const like = (text: string): string => [...text].map((letter) => LOOKS_LIKE[letter] ?? letter).join('');

const unaccented = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '');

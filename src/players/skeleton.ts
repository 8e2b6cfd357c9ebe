/** The appearance of a name: two names that a hurried reader would confuse have the same skeleton. */

/**
 * Letters of other scripts, and Latin variants, that look like a Latin letter. They are compared by shape, so this
 * comes before lower-casing.
 */
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

/** Digits and letters that can stand in for each other, after lower-casing. */
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
  // Twice, because a letter may resemble another only once its accents or the circle around it are gone.
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

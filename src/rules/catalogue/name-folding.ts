// The normal forms in which ids and aliases of sports, leagues and books are compared: feeds differ in case and
// separators. And what any name is compared by whose letters have others for them.

/** `soccer_spain_la_liga`, `Soccer Spain La Liga` and `soccer-spain-la-liga` are one name. */
export function foldId(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_.-]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** `BetOnline.ag`, `betonlineag` and `bet_online_ag` are one book. */
export function foldBook(name: string): string {
  return foldId(name).replaceAll('-', '');
}

/** Latin letters that Unicode does not decompose into a base letter and an accent. */
export const LATIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
};

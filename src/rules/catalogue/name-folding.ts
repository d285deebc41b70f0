// The normal forms in which ids and aliases of sports, leagues and books are compared: feeds differ in case and
// separators.

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

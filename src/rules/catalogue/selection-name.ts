// What tells a selection from the others of its type in one market: books write the names of some in their own ways.

/** Types whose selections are named by the shard, the same for every book. */
export const NAMED_BY_TYPE: ReadonlySet<string> = new Set(['home', 'away', 'draw', 'over', 'under']);

/**
 * Nothing where its type, or the player whom it is named after, says it all.
 * @param who the canonical name of the market's player; '' if it is about none
 * @param canonical of a player's name
 */
export function selectionName(
  type: string,
  selection: string,
  who: string,
  canonical: (name: string) => string,
): string {
  if (NAMED_BY_TYPE.has(type) || (who !== '' && canonical(selection) === who)) return '';
  return selection.toLowerCase();
}

// Ids of books and leagues.

/** What books and leagues are kept by may be a plain object, which has a `constructor` already. */
const ID = /^(?!constructor$)[a-z0-9][a-z0-9_-]{0,39}$/;

/** Whether a text, in lower case, can be the id of a book or a league. */
export function isId(text: string): boolean {
  return ID.test(text);
}

// The id of a book that one account alone sees. Nobody else can state it, as ids of books have no `@`, and no tier has it.

const MARK = '@';

export function privateBook(name: string, account: string): string {
  return `${name}${MARK}${account}`;
}

export function isPrivateBook(id: string): boolean {
  return id.includes(MARK);
}

/** The name that its account calls it by; other books have their id. */
export function ownName(id: string): string {
  const at = id.indexOf(MARK);
  return at < 0 ? id : id.slice(0, at);
}

/** Whether a book is among those of a caller: null means every one but private ones, which must be named. */
export function isAmong(books: readonly string[] | null, id: string): boolean {
  return books === null ? !isPrivateBook(id) : books.includes(id);
}

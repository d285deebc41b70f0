// Names of parameters that mean the same, in queries and in the messages of streams: whoever knows one of them need not
// guess whether we call it by its singular, its plural or as the documents of another service do.

export interface ParameterName {
  /** The first is the one that answers and documents use, wherever a schema does not say otherwise. */
  readonly names: readonly string[];
  /** A list: given several times, under whichever of its names, it means all its values. */
  readonly list: boolean;
}

export const PARAMETER_NAMES: readonly ParameterName[] = [
  { names: ['sport', 'sports'], list: true },
  { names: ['league', 'leagues'], list: true },
  { names: ['sportsbook', 'sportsbooks'], list: true },
  { names: ['market', 'markets'], list: true },
  { names: ['event', 'events', 'event_id', 'event_ids', 'eventId', 'eventIds'], list: true },
  { names: ['team', 'teams'], list: true },
  { names: ['fields', 'field'], list: true },
  { names: ['channels', 'channel', 'type'], list: true },
  { names: ['live', 'is_live'], list: false },
];

/**
 * For each name that means one of `known`, that one: where several of a kind are known, the first in the table's order.
 * A name without synonyms stands for itself.
 */
export function meaningOf(known: Iterable<string>): Map<string, string> {
  const own = [...known];
  const meaning = new Map(own.map((name) => [name, name]));
  for (const { names } of PARAMETER_NAMES) {
    const proper = names.find((name) => own.includes(name));
    if (proper !== undefined) for (const name of names) meaning.set(name, proper);
  }
  return meaning;
}

/** Whether a parameter is a list by its name. */
export function isListName(name: string): boolean {
  return PARAMETER_NAMES.some(({ names, list }) => list && names.includes(name));
}

// Synonyms of parameters, in queries and in stream messages, so that a caller need not guess whether a name is
// singular, plural or that of another service.

export interface ParameterName {
  /** The first is the one that answers and documents use unless a schema says otherwise. */
  readonly names: readonly string[];
  /** A list: given several times, under any of its names, it means all the values. */
  readonly list: boolean;
  /** It is one name in the filters of streams and alerts. */
  readonly oneInFilters?: true;
}

export const PARAMETER_NAMES: readonly ParameterName[] = [
  { names: ['sport', 'sports'], list: true },
  { names: ['league', 'leagues'], list: true },
  { names: ['sportsbook', 'sportsbooks'], list: true },
  { names: ['market', 'markets', 'market_type', 'market_types'], list: true },
  { names: ['event', 'events', 'event_id', 'event_ids', 'eventId', 'eventIds'], list: true },
  { names: ['team', 'teams'], list: true },
  { names: ['kind', 'kinds'], list: true },
  { names: ['laggard', 'laggards'], list: true },
  { names: ['devig_book'], list: true, oneInFilters: true },
  { names: ['fields', 'field'], list: true },
  { names: ['channels', 'channel', 'type'], list: true },
  { names: ['live', 'is_live'], list: false },
  { names: ['gracePeriodHours', 'grace_period_hours'], list: false },
];

/**
 * For each name a member of `known` that it means: if several synonyms are known, the first in the table's order. A
 * name without synonyms maps to itself.
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

/** Whether a parameter of this name is a list. */
export function isListName(name: string): boolean {
  return PARAMETER_NAMES.some(({ names, list }) => list && names.includes(name));
}

/** Whether it is a list among the filters of a stream or an alert. */
export function isFilterList(name: string): boolean {
  return PARAMETER_NAMES.some(({ names, list, oneInFilters }) => list && !oneInFilters && names.includes(name));
}

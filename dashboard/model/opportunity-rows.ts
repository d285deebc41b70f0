// The rows of the table of opportunities: those that the filters and the profile let through, one outcome at several
// books as one row, in the order of a column.

import { escapeFormulas } from '../../src/base/model/formula-text.js';
import { DEFAULT_CURRENCY } from '../../src/base/model/money.js';
import type { LiveTable, OpportunityChannel, OpportunityItem, OpportunityItems } from '../../src/client/client.js';
import { KINDS, type ScreenState } from './address.js';
import { fits, fitsPrices, hideKey, outcomeKey, ownBooks } from './opportunity-filters.js';
import { type Evaluation, edgeFor, evaluate, isPlayable, type Play, playOf } from './play.js';
import { type Profile, rateAt } from './profile.js';
import { type Chip, chipsOf } from './reservations.js';

export interface OpportunityRow {
  id: string;
  kind: OpportunityChannel;
  item: OpportunityItem;
  /** Further books with a price for the outcome that is above fair. */
  more: number;
  play: Play;
  evaluation: Evaluation;
  /** Percent; a low hold is negative. */
  edge: number;
  /** Fair price of a single bet, decimal. */
  fair: number | null;
  /** Largest total stake, in the viewer's currency; null if unknown. */
  limit: number | null;
  startMs: number;
  /** What to know before betting, the gravest first. */
  chips: readonly Chip[];
}

/** Age of the oldest price in it when it was sent, seconds. */
export function ageOf(item: OpportunityItem): number {
  return 'oldest_odds_age_seconds' in item ? item.oldest_odds_age_seconds : item.odds_age_seconds;
}

/** Columns by which rows can be ordered, and the value of each: the larger the earlier. */
export const ORDERS: Readonly<Record<string, (row: OpportunityRow) => number | string>> = {
  edge: ({ edge }) => edge,
  kind: ({ kind }) => kind,
  event: ({ item }) => item.event_name,
  market: ({ item }) => item.market_type,
  price: ({ play }) => play.legs[0]!.decimal,
  fair: ({ fair }) => fair ?? 0,
  book: ({ play }) => play.legs[0]!.books[0]!,
  limit: ({ limit }) => limit ?? Number.POSITIVE_INFINITY,
  notes: ({ chips }) => -chips.filter(({ look }) => look === 'loss' || look === 'warn').length,
  start: ({ startMs }) => -startMs,
  stake: ({ evaluation }) => evaluation.plan.cost,
};

/**
 * Names are ascending where numbers are descending.
 * @param ageNow of the oldest price in it; by default when it was sent
 */
export function compareBy(
  order: string,
  ageNow: (row: OpportunityRow) => number = ({ item }) => ageOf(item),
): (a: OpportunityRow, b: OpportunityRow) => number {
  const turned = order.startsWith('-') ? -1 : 1;
  const name = order.replace(/^-/, '');
  const value = name === 'age' ? (row: OpportunityRow) => -ageNow(row) : (ORDERS[name] ?? ORDERS['edge']!);
  return (a, b) => {
    const [one, other] = [value(a), value(b)];
    const by = typeof one === 'string' ? one.localeCompare(String(other)) : Number(other) - one;
    return by * turned || (a.id < b.id ? -1 : 1);
  };
}

export function rowsOf(
  table: LiveTable,
  state: ScreenState,
  profile: Profile,
  hidden: ReadonlySet<string>,
  nowMs: number,
  ageNow?: (row: OpportunityRow) => number,
): OpportunityRow[] {
  const kinds = state.kind === 'all' ? KINDS : [state.kind];
  const own = ownBooks(state, profile);
  const byOutcome = new Map<string, OpportunityRow>();
  for (const kind of kinds)
    for (const item of table.opportunities[kind].values() as IterableIterator<OpportunityItem>) {
      if (hidden.has(hideKey(kind, item)) || !fits(kind, item, state, nowMs)) continue;
      const row = rowOf(kind, item, profile);
      if ((own !== undefined && !isPlayable(row.play, own)) || !fitsPrices(row.play, row.limit, state)) continue;
      if (state.sure === 'guaranteed' && !row.play.reservations.isGuaranteed) continue;
      if (kind !== 'low_hold' && row.evaluation.plan.cost < profile.minStake) continue;
      if (kind !== 'low_hold' && row.edge < state.edge) continue;
      const key = kind === 'ev' ? outcomeKey(item as OpportunityItems['ev']) : item.id;
      const known = byOutcome.get(key);
      if (known === undefined || known.edge < row.edge) byOutcome.set(key, { ...row, more: (known?.more ?? -1) + 1 });
      else byOutcome.set(key, { ...known, more: known.more + 1 });
    }
  return [...byOutcome.values()].sort(compareBy(state.order, ageNow));
}

/**
 * Rows that stay where they are, as they are now: those that stand are up to date, also where the filters or a better
 * book would show another one; those that ended are as they were, and named.
 */
export function keptRows(
  kept: readonly OpportunityRow[],
  table: LiveTable,
  profile: Profile,
): { rows: OpportunityRow[]; ended: Set<string> } {
  const ended = new Set<string>();
  const rows = kept.map((row) => {
    const item = (table.opportunities[row.kind] as ReadonlyMap<string, OpportunityItem>).get(row.id);
    if (item !== undefined) return { ...rowOf(row.kind, item, profile), more: row.more };
    ended.add(row.id);
    return row;
  });
  return { rows, ended };
}

/** How many of each kind there are. */
export function countsOf(rows: readonly OpportunityRow[]): Record<ScreenState['kind'], number> {
  const counts = { all: rows.length, ev: 0, arbitrage: 0, middles: 0, low_hold: 0 };
  for (const { kind } of rows) counts[kind]++;
  return counts;
}

/** Items are replaced when they change: what was computed of one holds until then, or until the profile changes. */
const computed = new WeakMap<OpportunityItem, { profile: Profile; row: OpportunityRow }>();

export function rowOf(kind: OpportunityChannel, item: OpportunityItem, profile: Profile): OpportunityRow {
  const known = computed.get(item);
  if (known?.profile === profile) return known.row;
  const row = makeRow(kind, item, profile);
  computed.set(item, { profile, row });
  return row;
}

function makeRow(kind: OpportunityChannel, item: OpportunityItem, profile: Profile): OpportunityRow {
  const play = playOf(kind, item);
  const evaluation = evaluate(play, profile);
  const caps = evaluation.bets.flatMap(({ cap }) => cap ?? []);
  return {
    id: item.id,
    kind,
    item,
    more: 0,
    play,
    evaluation,
    edge: edgeFor(kind, item, evaluation),
    fair: kind === 'ev' ? 1 / play.legs[0]!.fair! : null,
    limit: limitOf(kind, item, play, caps[0] ?? null, profile),
    startMs: item.start_time === null ? 0 : Date.parse(item.start_time),
    chips: chipsOf(play.reservations),
  };
}

/** In the viewer's currency: of one bet with the viewer's own limits, of several as the server states it in dollars. */
function limitOf(
  kind: OpportunityChannel,
  item: OpportunityItem,
  { legs }: Play,
  cap: number | null,
  profile: Profile,
): number | null {
  const [limit, currency] = kind === 'ev' ? [cap, legs[0]!.currency] : [item.max_stake, DEFAULT_CURRENCY];
  const inOwn = limit === null ? Number.NaN : limit * rateAt(profile, currency);
  return Number.isNaN(inOwn) ? null : inOwn;
}

/** The rows as a table with a heading, for other programs. */
export function csvOf(rows: readonly OpportunityRow[], nameOf: (book: string) => string): string {
  const lines = rows.map(({ kind, item, edge, fair, limit, play, evaluation, chips }) => [
    kind,
    edge.toFixed(4),
    item.event_id,
    item.event_name,
    item.league,
    item.market_type,
    play.legs.map(({ outcome }) => outcome).join(' / '),
    play.legs.map(({ decimal }) => decimal).join(' / '),
    play.legs.map(({ books }) => books.map(nameOf).join(', ')).join(' / '),
    fair?.toFixed(4) ?? '',
    limit ?? '',
    item.start_time ?? '',
    evaluation.plan.stakes.join(' / '),
    play.legs.map(({ currency }) => currency).join(' / '),
    chips.map(({ text }) => text).join('; '),
  ]);
  const head =
    'kind,edge_percent,event_id,event,league,market,outcomes,prices,books,fair,limit,start,stakes,currencies,notes'.split(
      ',',
    );
  return [head, ...lines].map((line) => line.map(cellText).join(',')).join('\r\n');
}

/** Quoted where needed; what a spreadsheet would run as a formula is text, numbers stay numbers. */
function cellText(value: unknown): string {
  const text = String(value);
  const safe = Number.isNaN(Number(text)) ? escapeFormulas(text) : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

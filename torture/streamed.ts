// Checks the opportunities of streams: when the books are quiet, each stream has what the lists of REST show.
import { setTimeout as wait } from 'node:timers/promises';
import type { OpportunityChannel } from '../src/client/events.js';
import type { Reader } from './readers.js';
import type { Run } from './run.js';

/** A client that met a start of many seconds waits up to 30 before it retries. */
const SETTLE_MS_MAX = 45_000;
const POLL_MS = 100;
/** The streams' thresholds where those of the lists have other defaults. */
const LISTS: Readonly<Record<OpportunityChannel, string>> = {
  ev: 'min_ev=2',
  arbitrage: '',
  middles: '',
  low_hold: '',
};
/** They change with time alone, with a poll that moves no row, with a price that is no part of it, or on a channel of their own. */
const PASSING = new Set([
  ...['confidence', 'confidence_score', 'quality_score', 'possibly_stale', 'last_seen_at'],
  ...['odds_age_seconds', 'oldest_odds_age_seconds', 'alt_side1', 'alt_side2', 'game_state'],
]);

interface Item {
  id: string;
}

export async function checkStreamed(run: Run, readers: readonly Reader[], key: string): Promise<void> {
  for (const reader of readers) {
    if (reader.streamed === undefined) continue;
    let wrong = await wrongOf(run, reader, key);
    for (const late = run.patience(SETTLE_MS_MAX); wrong !== null && !late(); ) {
      await wait(POLL_MS);
      wrong = await wrongOf(run, reader, key);
    }
    run.count(`${reader.name}: opportunities compared`);
    if (wrong !== null) run.find('streams have the opportunities of the lists', `${reader.name}: ${wrong}`);
  }
}

async function wrongOf(run: Run, reader: Reader, key: string): Promise<string | null> {
  for (const channel of Object.keys(reader.streamed?.() ?? {}) as OpportunityChannel[]) {
    const query = LISTS[channel];
    if (query === undefined) continue;
    const listed = await listOf<Item>(run, channel, key, query);
    if (listed === null) return `the list of ${channel} could not be read`;
    const streamed = reader.streamed?.()?.[channel];
    if (streamed === undefined) return 'it has no whole table';
    const ids = new Set(listed.map(({ id }) => id));
    const extra = [...streamed.keys()].filter((id) => !ids.has(id));
    const other = listed.filter((item) => steady(streamed.get(item.id)) !== steady(item));
    if (other.length > 0 || extra.length > 0) {
      const [first] = other;
      const id = first?.id ?? extra[0] ?? '';
      return (
        `${other.length} of ${listed.length} of ${channel} wrong, ${extra.length} too many (${extra[0]}): ` +
        `${steady(first)} as ${steady(streamed.get(id))}; it was ${reader.trailOf?.(id)}`
      );
    }
    run.most(`${reader.name}: ${channel}`, listed.length);
  }
  return null;
}

function steady(value: unknown): string | undefined {
  return JSON.stringify(value, (name, part: unknown) => {
    if (PASSING.has(name)) return undefined;
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** All pages of a list of opportunities, including everything acknowledged; null if one could not be read. */
export async function listOf<T>(run: Run, kind: string, key: string, query: string): Promise<T[] | null> {
  const items: T[] = [];
  for (let offset = 0; ; offset += 200) {
    const page = `min_position=${run.position}&limit=200&offset=${offset}`;
    const answer = await run.call(`/api/v1/opportunities/${kind}?${query}&${page}`, key);
    if (answer?.status !== 200) return null;
    const { data } = answer.body as { data: T[] };
    items.push(...data);
    if (data.length < 200) return items;
  }
}

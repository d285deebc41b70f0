// How fresh the odds are: each feed's state and age, and the age of every book's newest poll.
import type { Registry } from 'prom-client';
import { bookPolls } from '../../answers/health.js';
import type { Clock } from '../../base/model/clock.js';
import { FEED_COUNTS } from '../../intake/feeds/feed.js';
import type { FeedInfo } from '../../intake/feeds/feed-watch.js';
import type { OddsTable } from '../../tables/table.js';
import { metersOf, type Sample } from './meters.js';

export interface Freshness {
  clock: Clock;
  table: OddsTable;
  feeds(): readonly FeedInfo[];
}

export function watchFeeds(registry: Registry, { clock, table, feeds }: Freshness): void {
  const { gauges, counters } = metersOf(registry);
  const ageS = (ms: number): number => Math.max(0, clock.now() - ms) / 1000;
  const ofFeeds = (name: string, help: string, read: (feed: FeedInfo) => number | null): void =>
    gauges(name, help, ['feed'], () =>
      labelled(feeds()).flatMap(([label, feed]): Sample[] => {
        const value = read(feed);
        return value === null ? [] : [[{ feed: label }, value]];
      }),
    );
  ofFeeds(
    'overround_feed_up',
    '1 if the last attempt of the feed worked, 0 if it failed or the feed has ended.',
    (feed) => (feed.state === 'running' ? 1 : 0),
  );
  ofFeeds(
    'overround_feed_last_success_age_seconds',
    'Time since the feed last delivered odds, in seconds.',
    ({ lastSuccessMs }) => (lastSuccessMs === null ? null : ageS(lastSuccessMs)),
  );
  ofFeeds(
    'overround_feed_lag_seconds',
    'Time from the newest poll of the feed to its commit, in seconds.',
    ({ lagMs }) => (lagMs === null ? null : lagMs / 1000),
  );
  counters(
    'overround_feed_events_total',
    'Events of feeds: messages, bad messages, gaps, reconnects, failed requests, parts that were refused, and what was left out.',
    ['feed', 'what'],
    () =>
      labelled(feeds()).flatMap(([feed, { counts }]) =>
        FEED_COUNTS.flatMap((what): Sample[] => (counts[what] === undefined ? [] : [[{ feed, what }, counts[what]]])),
      ),
  );
  gauges(
    'overround_book_poll_age_seconds',
    "Age of the newest poll of each book's odds, in seconds.",
    ['sportsbook'],
    () => bookPolls(table).map(({ book, polledMs }) => [{ sportsbook: book }, ageS(polledMs)]),
  );
}

/** By kind; a second feed of a kind has its number appended. */
function labelled(feeds: readonly FeedInfo[]): [label: string, feed: FeedInfo][] {
  const seen = new Map<string, number>();
  return feeds.map((feed) => {
    const kind = feed.name.split(':', 1)[0]!;
    const no = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, no);
    return [no === 1 ? kind : `${kind}_${no}`, feed];
  });
}

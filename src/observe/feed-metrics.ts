// How fresh the odds are: each feed's state and age, and the age of every book's newest poll.
import { Counter, Gauge, type Registry } from 'prom-client';
import { FEED_COUNTS } from '../feeds/feed.js';
import type { FeedInfo } from '../feeds/feed-watch.js';
import type { Clock } from '../model/clock.js';
import { bookPolls } from '../reader/health.js';
import type { OddsTable } from '../table/table.js';

export interface Freshness {
  clock: Clock;
  table: OddsTable;
  feeds(): readonly FeedInfo[];
}

export function watchFeeds(registry: Registry, { clock, table, feeds }: Freshness): void {
  const ofFeeds = (name: string, help: string, read: (feed: FeedInfo) => number | null): void => {
    new Gauge({
      name,
      help,
      labelNames: ['feed'] as const,
      registers: [registry],
      collect() {
        this.reset();
        for (const [label, feed] of labelled(feeds())) {
          const value = read(feed);
          if (value !== null) this.set({ feed: label }, value);
        }
      },
    });
  };
  ofFeeds('overround_feed_up', 'Whether what the feed last tried worked (1) or not (0); 0 once it is over.', (feed) =>
    feed.state === 'running' ? 1 : 0,
  );
  ofFeeds(
    'overround_feed_last_success_age_seconds',
    'Time since the feed last brought something, in seconds.',
    (feed) => (feed.lastSuccessMs === null ? null : Math.max(0, clock.now() - feed.lastSuccessMs) / 1000),
  );
  ofFeeds('overround_feed_lag_seconds', 'Time from the newest poll to its being committed, in seconds.', ({ lagMs }) =>
    lagMs === null ? null : lagMs / 1000,
  );
  new Counter({
    name: 'overround_feed_events_total',
    help: 'What happened on the feeds with a connection: messages, bad ones, gaps in their order, reconnects, failed requests.',
    labelNames: ['feed', 'what'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [label, { counts }] of labelled(feeds()))
        for (const what of FEED_COUNTS) if (counts[what] !== undefined) this.inc({ feed: label, what }, counts[what]);
    },
  });
  new Gauge({
    name: 'overround_book_poll_age_seconds',
    help: "Age of the newest poll of each book's odds, in seconds.",
    labelNames: ['sportsbook'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const { book, polledMs } of bookPolls(table))
        this.set({ sportsbook: book }, Math.max(0, clock.now() - polledMs) / 1000);
    },
  });
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

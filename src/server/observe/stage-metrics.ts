// Metrics of what is kept, and sent of it (alerts, bets, the room that stores take and have on the disk), of how fresh odds
// are, and of requests.

import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { entryOf } from '../../accounts/bets/commands.js';
import type { Bankroll } from '../../accounts/bets/ledger.js';
import { AlertStore } from '../../accounts/outbox/alert-store.js';
import { bookPolls } from '../../answers/health.js';
import { diagnosticChannels, type HttpRequestDone, subscribeTo } from '../../base/diagnostics/diagnostic-channels.js';
import { DELIVERY_STATES, type Delivery, NEW_DELIVERY } from '../../base/model/alert.js';
import type { Clock } from '../../base/model/clock.js';
import { FEED_COUNTS } from '../../intake/feeds/feed.js';
import type { FeedInfo } from '../../intake/feeds/feed-watch.js';
import type { ControlStore } from '../../log/control/entries.js';
import type { OddsTable } from '../../tables/table.js';
import { HistogramCounts, histogramMetric, metersOf, type Sample, withLabels } from './meters.js';

export interface Stores {
  dataDir: string;
  control: ControlStore;
}

export function watchStores(registry: Registry, { dataDir, control }: Stores): void {
  const { gauges, gauge, counter } = metersOf(registry);
  const alerts = new AlertStore(control, () => Promise.reject(new Error('metrics only read')));
  // A server that ends is asked for its figures until the last.
  const rules = () => (control.isOpen ? alerts.rules() : []);
  const deliveries = (): Delivery[] => rules().map(({ id }) => alerts.delivery(id) ?? NEW_DELIVERY);
  gauges(
    'overround_alert_rules',
    'Alert rules by state: active, failing (the last attempt failed), off.',
    ['state'],
    () => {
      const all = deliveries();
      return DELIVERY_STATES.map((state): Sample => [{ state }, all.filter((each) => each.state === state).length]);
    },
  );
  counter('overround_alert_messages_total', 'Alert messages that targets accepted, of the rules that exist now.', () =>
    deliveries().reduce((sum, { delivered }) => sum + delivered, 0),
  );
  gauge(
    'overround_alert_failed_attempts',
    'Failed attempts to send alert messages since their targets last accepted one.',
    () => deliveries().reduce((sum, { attempts }) => sum + attempts, 0),
  );
  gauge('overround_alert_messages_waiting', 'Alert messages that wait for their target.', () =>
    rules().reduce((sum, { id }) => sum + alerts.queueLength(id), 0),
  );
  const bankrolls = () =>
    control.isOpen ? [...control.entries(entryOf.bankrolls)].map(([, value]) => value as Bankroll) : [];
  gauge('overround_bets_recorded', 'Bets recorded, of all accounts, settled ones included.', () =>
    sum(bankrolls().map(({ bets }) => bets)),
  );
  gauges(
    'overround_bets',
    'Bets of all accounts by state: waiting (in play, not filled yet), open (a stake at risk), settled.',
    ['state'],
    () => {
      const counted = bankrolls().flatMap(({ counted }) => counted ?? []);
      return [
        [{ state: 'waiting' }, control.isOpen ? [...control.entries(entryOf.waiting)].length : 0],
        [{ state: 'open' }, sum(counted.map(({ open }) => open))],
        [{ state: 'settled' }, sum(counted.map(({ settled }) => settled))],
      ];
    },
  );
  gauges('overround_store_bytes', 'Size of the files of each store, in bytes.', ['store'], () => [
    [{ store: 'odds' }, sum(shardsIn(dataDir).map((shard) => bytesOf(join(dataDir, shard))))],
    ...['control', 'delayed', 'history', 'event-log'].map(
      (store): Sample => [{ store }, bytesOf(join(dataDir, store))],
    ),
  ]);
  gauge('overround_disk_free_bytes', "Free bytes of the data directory's disk that the server's user may fill.", () => {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize;
  });
}

function shardsIn(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => /^shard-\d+$/.test(name));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** 0 where there is none. */
function bytesOf(store: string): number {
  return statSync(join(store, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0;
}

interface Freshness {
  clock: Clock;
  table: OddsTable;
  feeds(): readonly FeedInfo[];
}

/** How fresh the odds are: each feed's state and age, and the age of every book's newest poll. */
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

/** Values read at each scrape. */
interface HttpWatch {
  /** Requests being answered now, without streams. */
  readonly inFlight: number;
  /** Open connections, WebSockets included, and refused ones. */
  readonly connections: { readonly open: number; readonly refused: number };
}

/** Upper bounds of the histogram's buckets, in seconds. */
const BUCKETS = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5] as const;

interface RouteCounts {
  readonly byStatus: Map<number, number>;
  readonly seconds: HistogramCounts;
}

/**
 * Counts what a server publishes about its requests, by route, in plain numbers that are passed to prom-client when it is
 * scraped: its own counters cost half a microsecond per request, as much as the rest of an answer's bookkeeping.
 * @returns a function that stops counting
 */
export function observeHttp(registry: Registry, source: object, server: HttpWatch): () => void {
  const { gauge, counter, counters } = metersOf(registry);
  const counts = new Map<HttpRequestDone['route'], RouteCounts>();
  counters(
    'overround_http_requests_total',
    'Requests answered. Status 499: the client had gone.',
    ['method', 'route', 'status'],
    () =>
      [...counts.values()].flatMap(({ seconds, byStatus }) =>
        [...byStatus].map(([status, count]): Sample => [{ ...seconds.labels, status }, count]),
      ),
  );
  registry.registerMetric(
    histogramMetric(
      'overround_http_request_seconds',
      withLabels('Time from the request to the end of its answer (of a stream: to its beginning), in seconds.', [
        'method',
        'route',
      ]),
      () => [...counts.values()].map(({ seconds }) => seconds),
    ),
  );
  gauge('overround_http_requests_in_flight', 'Requests being answered now.', () => server.inFlight);
  gauge('overround_http_connections', 'Open connections, WebSockets included.', () => server.connections.open);
  counter(
    'overround_http_connections_refused_total',
    'Connections refused with 503 because of --max-connections.',
    () => server.connections.refused,
  );
  return subscribeTo(diagnosticChannels.httpRequest, source, ({ route, status, ms }) => {
    let of = counts.get(route);
    if (of === undefined) {
      of = { byStatus: new Map(), seconds: new HistogramCounts(BUCKETS, { method: route.method, route: route.path }) };
      counts.set(route, of);
    }
    of.byStatus.set(status, (of.byStatus.get(status) ?? 0) + 1);
    of.seconds.observe(ms / 1000);
  });
}

// The ingest counters of /metrics equal what was ingested.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { diagnosticChannels, type Published } from '../../src/index.js';
import { event, market, message, selection } from '../intake/ingest/messages.js';
import { shared } from '../shared.js';
import { until } from '../support/until.js';
import { NOW } from './api/serving.js';
import { type Api, api } from './api.js';
import { ladder } from './stream-rig.js';

async function figures({ url, clock }: Api): Promise<Record<string, number>> {
  // Metrics are as they were at most a second ago.
  clock.set(clock.now() + 1_000);
  const text = await (await fetch(`${url}/metrics`)).text();
  return Object.fromEntries(
    [...text.matchAll(/^overround_(\w+(?:\{(?:shard|kind)="\w+"\})?) (\S+)$/gm)].map(([, name, value]) => [
      name!,
      Number(value),
    ]),
  );
}

/** Of the first two tests, in their order: each looks at other counters. */
const served = shared((t) => api(t));

test('quotes, batches, deltas and rows are counted as they arrive, and a scrape changes nothing', async () => {
  const server = await served();
  const before = await figures(server);
  await server.ingest(ladder(1, 3, -110));
  const first = await figures(server);
  const rows = first['row_changes_total{kind="written"}']!;
  assert.ok(rows > 0);
  assert.equal(first['ingest_quotes_total{shard="0"}'], rows);
  await server.ingest(ladder(2, 3, -120));
  await server.ingest(ladder(3, 2, -120));
  const after = await figures(server);
  assert.equal((await figures(server))['ingest_quotes_total{shard="0"}'], rows + rows + (rows * 2) / 3);
  assert.equal(after['ingest_batch_seconds_count'], 3);
  // The passing of time may add a delta of its own.
  assert.ok(after['deltas_total']! - before['deltas_total']! >= 3);
  assert.ok(after['delta_bytes_total']! > first['delta_bytes_total']!);
  assert.ok(after['row_changes_total{kind="removed"}']! > 0);
  assert.equal(after['row_changes_total{kind="removed"}'], rows - after['table_rows']!);
});

test('a market with more middles than are looked for is counted', async () => {
  const server = await served();
  const shown = (lines: number, book: string) => {
    const selections = Array.from({ length: lines }, (_, i) =>
      ['over', 'under'].map((type) =>
        selection({
          selection: type,
          selection_type: type,
          line: 200.5 + i,
          odds_decimal: 2.05,
          is_alternate_line: true,
        }),
      ),
    ).flat();
    return message([event([market(selections, { market_type: 'total_points' })])], { book, polled_at: NOW });
  };
  for (const book of ['fanduel', 'draftkings']) await server.ingest(shown(3, book));
  assert.equal((await figures(server))['bounded_markets_total'], 0);
  for (const book of ['fanduel', 'draftkings']) await server.ingest(shown(60, book));
  assert.ok((await figures(server))['bounded_markets_total']! > 0);
});

test('a server publishes its progress with itself as source, as documented, and no other server counts it', async (t) => {
  const channels = Object.values(diagnosticChannels);
  const server = await api(t);
  const other = await api(t);
  const published = new Map<string, Record<string, unknown>>();
  const sources = new Set<object>();
  for (const channel of channels) {
    const listen = ({ source, ...message }: Published): void => {
      sources.add(source);
      // The passing of time may add a batch and a delta of its own, without messages and rows.
      const { messages, rowsWritten } = message as { messages?: number; rowsWritten?: number };
      if (source === server.server.engine && messages !== 0 && rowsWritten !== 0) published.set(channel.name, message);
    };
    channel.subscribe(listen);
    t.after(() => channel.unsubscribe(listen));
  }
  await server.ingest(ladder(1, 3, -110));
  await fetch(`${other.url}/healthz`);
  await fetch(`${server.url}/healthz`);
  await until('all published', () => published.size === channels.length);
  assert.ok(sources.has(server.server.engine) && sources.has(other.server.engine));
  const rows = (await figures(server))['row_changes_total{kind="written"}'];
  assert.equal(published.get('overround:table:delta')!['rowsWritten'], rows);
  assert.equal(published.get('overround:shard:batch')!['quotes'], rows);
  const text = readFileSync('docs/guides/embedding.md', 'utf8');
  for (const [name, message] of published) {
    const [, says] = new RegExp(`^\\| \`${name}\`[^|]*\\|[^|]*\\|(.*)\\|$`, 'm').exec(text)!;
    const named = [...says!.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, field]) => field);
    assert.deepEqual(named.sort(), Object.keys(message).sort(), name);
  }
  const counted = await figures(other);
  assert.equal(counted['row_changes_total{kind="written"}'], 0);
  assert.equal(counted['ingest_batch_seconds_count'] ?? 0, 0);
  await server.close();
  const delta = { shard: 0, position: 1, bytes: 1, rowsWritten: 1_000, rowsRemoved: 0 };
  diagnosticChannels.tableDelta.publish({ source: server.server.engine, ...delta });
  const after = await server.server.metricsText();
  assert.ok(
    after.includes(`overround_row_changes_total{kind="written"} ${rows}\n`),
    'a server that ended counts no more',
  );
});

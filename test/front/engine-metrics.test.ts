// What /metrics counts of ingest is what was ingested.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../api/serving.js';
import { event, market, message, selection } from '../ingest/messages.js';
import { api } from './api.js';
import { ladder } from './stream-rig.js';

async function figures(url: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Object.fromEntries(
    [...text.matchAll(/^overround_(\w+(?:\{(?:shard|kind)="\w+"\})?) (\S+)$/gm)].map(([, name, value]) => [
      name!,
      Number(value),
    ]),
  );
}

test('quotes, batches, deltas and rows are counted as they come, and a scrape changes nothing', async (t) => {
  const server = await api(t);
  const before = await figures(server.url);
  assert.equal(before['deltas_total'], 0);
  await server.ingest(ladder(1, 3, -110));
  const first = await figures(server.url);
  const rows = first['row_changes_total{kind="written"}']!;
  assert.ok(rows > 0);
  assert.equal(first['ingest_quotes_total{shard="0"}'], rows);
  await server.ingest(ladder(2, 3, -120));
  await server.ingest(ladder(3, 2, -120));
  const after = await figures(server.url);
  assert.equal((await figures(server.url))['ingest_quotes_total{shard="0"}'], rows + rows + (rows * 2) / 3);
  assert.equal(after['ingest_batch_seconds_count'], 3);
  // Time that passes may be a delta of its own.
  assert.ok(after['deltas_total']! >= 3);
  assert.ok(after['delta_bytes_total']! > first['delta_bytes_total']!);
  assert.ok(after['row_changes_total{kind="removed"}']! > 0);
  assert.equal(after['row_changes_total{kind="removed"}'], rows - after['table_rows']!);
});

test('a market with more middles than are looked for is counted', async (t) => {
  const server = await api(t);
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
  assert.equal((await figures(server.url))['bounded_markets_total'], 0);
  for (const book of ['fanduel', 'draftkings']) await server.ingest(shown(60, book));
  assert.ok((await figures(server.url))['bounded_markets_total']! > 0);
});

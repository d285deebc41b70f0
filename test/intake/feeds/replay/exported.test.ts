// What an export of history says when it is read again.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Price, priceFromAmerican, priceFromDecimal } from '../../../../src/base/model/price.js';
import { readRecording } from '../../../../src/intake/feeds/replay/recording.js';
import { readPrice } from '../../../../src/intake/ingest/fields.js';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';
import { openExport } from '../../../../src/store/export/formats.js';
import type { HistoryEvent, HistoryRow } from '../../../../src/store/history/event-record.js';
import { FLAG } from '../../../../src/store/history/page.js';
import { newFolder } from '../../../temp-folders.js';

const BEGIN_US = Date.UTC(2026, 10, 20, 18) * 1000;
const EVENT = {
  id: 'nba_jazz_magic',
  sport: 'basketball',
  league: 'nba',
  home: 'Utah Jazz',
  away: 'Orlando Magic',
  startMs: BEGIN_US / 1000 + 9e6,
} as HistoryEvent;

interface Exported {
  price: Pick<Price, 'american' | 'decimal'>;
  book?: string;
  player?: string;
  flags?: number;
}

/** The messages of an export with these changes, a second from one to the next. */
async function readBack(changes: readonly Exported[], format: 'ndjson' | 'csv'): Promise<IngestMessage[]> {
  const path = join(newFolder('overround-exported-'), `export.${format}`);
  const writer = openExport(path, format);
  for (const [i, { price, book = 'betmgm', player = null, flags = 0 }] of changes.entries()) {
    const names = { selection: 'Over', selectionType: 'over', player, market: 'player_points' };
    const row = { id: `${100 + i}`, book, ...names, alternate: false } as HistoryRow;
    writer.line(EVENT, row, { atUs: BEGIN_US + i * 1e6, ...price, line: 20.5, flags, prematch: true });
  }
  writer.end();
  const messages: IngestMessage[] = [];
  for await (const poll of readRecording(path)) messages.push(...poll.messages);
  return messages;
}

const refuse = (): undefined => undefined;
const priceOf = (message: IngestMessage): Price | undefined =>
  readPrice(message.events![0]!.markets[0]!.selections[0] as never, refuse);
const exact = (price: Price | undefined) => [price?.american, price?.decimal];

const american = fc
  .oneof(fc.integer({ min: 100, max: 50_000 }), fc.integer({ min: -2_000, max: -101 }))
  .map((each) => priceFromAmerican(each)!);
const decimal = fc
  .oneof(
    fc.integer({ min: 101, max: 5_000 }).map((hundredths) => hundredths / 100),
    fc.integer({ min: 1_002, max: 50_000 }).map((thousandths) => thousandths / 1_000),
  )
  .map((each) => priceFromDecimal(each)!);

for (const format of ['ndjson', 'csv'] as const)
  test(`every price of an export in ${format} is read as the book stated it, in whichever form`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(american, decimal), { minLength: 1, maxLength: 50 }), async (prices) => {
        const messages = await readBack(
          prices.map((price) => ({ price })),
          format,
        );
        assert.deepEqual(messages.map(priceOf).map(exact), prices.map(exact));
      }),
      { numRuns: 40 },
    );
  });

test('an export says in both formats alike what is a model’s, indicative, in play or suspended, and every name', async () => {
  const price = priceFromDecimal(1.905)!;
  const changes: Exported[] = [
    { price, book: 'betfair', flags: FLAG.indicative },
    { price, book: 'mine@3', flags: FLAG.model + FLAG.indicative },
    { price, flags: FLAG.live },
    { price, flags: FLAG.inactive, player: "=John O'Neal" },
    { price, player: '-1, \'the @ man"' },
  ];
  const [lines, table] = [await readBack(changes, 'ndjson'), await readBack(changes, 'csv')];
  const said = (messages: readonly IngestMessage[]): unknown[] =>
    messages.map(({ book, kind, events }) => {
      const { is_live, markets } = events![0]!;
      const { player_name, selections } = markets[0]!;
      const { selection, selection_type, line, odds_decimal, is_active, indicative } = selections[0]!;
      return [book, kind, is_live, player_name, selection, selection_type, line, odds_decimal, is_active, indicative];
    });
  assert.deepEqual(said(table), said(lines));
  const plain = ['Over', 'over', 20.5, 1.905];
  const [no, on] = [undefined, true];
  assert.deepEqual(said(lines), [
    ['betfair', no, no, no, ...plain, no, on],
    ['mine', 'model', no, no, ...plain, no, on],
    ['betmgm', no, on, no, ...plain, no, no],
    ['betmgm', no, no, "=John O'Neal", ...plain, false, no],
    ['betmgm', no, no, '-1, \'the @ man"', ...plain, no, no],
  ]);
});

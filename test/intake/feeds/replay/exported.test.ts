// What an export of history says when it is read again.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
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
  /** Of the row, where it is not one of its own. */
  id?: string;
  more?: Partial<HistoryRow>;
  /** Seconds from the beginning; by default one more than the change before. */
  atS?: number;
}

/** The messages of an export with these changes, a second from one to the next. */
async function readBack(changes: readonly Exported[], format: 'ndjson' | 'csv'): Promise<IngestMessage[]> {
  const path = join(newFolder('overround-exported-'), `export.${format}`);
  const writer = openExport(path, format);
  for (const [
    i,
    { price, book = 'betmgm', player = null, flags = 0, id = `${100 + i}`, more, atS = i },
  ] of changes.entries()) {
    const names = { selection: 'Over', selectionType: 'over', player, market: 'player_points', team: null, stat: null };
    const row = { id, book, ...names, alternate: false, ...more } as HistoryRow;
    writer.line(EVENT, row, { atUs: BEGIN_US + atS * 1e6, ...price, line: 20.5, flags, prematch: true });
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
    { price, player: "'=Q" },
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
    ['betmgm', no, no, "'=Q", ...plain, no, no],
  ]);
});

for (const format of ['ndjson', 'csv'] as const)
  test(`a removal in ${format} takes away its row alone, at its instant, whatever the order of the lines`, async () => {
    const [first, second] = [priceFromAmerican(105)!, priceFromDecimal(1.952)!];
    const off = FLAG.removed + FLAG.inactive;
    const under = { selection: 'Under', selectionType: 'under' };
    const messages = await readBack(
      [
        { id: '1', atS: 0, price: first, player: 'A B' },
        { id: '1', atS: 3, price: second, player: 'A B' },
        { id: '2', atS: 0, price: first, player: 'A B', more: under },
        { id: '2', atS: 1, price: first, player: 'A B', more: under, flags: off },
        { id: '2', atS: 2, price: second, player: 'A B', more: under, flags: FLAG.inactive },
        { id: '3', atS: 0, price: second, book: 'fanduel', player: 'C D' },
        { id: '3', atS: 2, price: second, book: 'fanduel', player: 'C D', flags: off + FLAG.live },
      ],
      format,
    );
    const said = messages.map(({ book, polled_at, scope, events }) => [
      book,
      Date.parse(polled_at!) - BEGIN_US / 1000,
      scope,
      events!.map(({ is_live, markets }) => [
        is_live === true,
        markets.map(({ player_name, selections }) => [
          player_name,
          selections.map(({ selection, odds_american, odds_decimal, is_active, is_removed }) =>
            [selection, is_removed ? 'removed' : (odds_american ?? odds_decimal), is_active ?? true].join(' '),
          ),
        ]),
      ]),
    ]);
    assert.deepEqual(said, [
      ['betmgm', 0, 'none', [[false, [['A B', ['Over 105 true', 'Under 105 true']]]]]],
      ['fanduel', 0, 'none', [[false, [['C D', ['Over 1.952 true']]]]]],
      ['betmgm', 1_000, 'none', [[false, [['A B', ['Under removed true']]]]]],
      ['betmgm', 2_000, 'none', [[false, [['A B', ['Under 1.952 false']]]]]],
      ['fanduel', 2_000, 'none', [[true, [['C D', ['Over removed true']]]]]],
      ['betmgm', 3_000, 'none', [[false, [['A B', ['Over 1.952 true']]]]]],
    ]);
  });

for (const format of ['ndjson', 'csv'] as const)
  test(`an instant of an export in ${format} with many rows is read in messages of a size that ingest takes`, async () => {
    const price = priceFromAmerican(-110)!;
    const later = priceFromAmerican(120)!;
    const rows = Array.from({ length: 450 }, (_, i) => ({ price, atS: 0, id: `${i}`, player: `P ${i}` }));
    const messages = await readBack([...rows, { ...rows[3]!, price: later }], format);
    const told = messages.map(({ events }) =>
      events!.flatMap(({ markets }) => markets.flatMap(({ selections }) => selections)),
    );
    assert.deepEqual(
      told.map(({ length }) => length),
      [200, 200, 50],
    );
    assert.deepEqual(
      messages.map(({ events }) => events!.length),
      [1, 1, 1],
    );
    // Of two changes within a millisecond the later one counts.
    assert.deepEqual(
      told.flat().flatMap(({ odds_american }) => (odds_american === 120 ? [120] : [])),
      [120],
    );
  });

test('a removal takes away its row alone where a spreadsheet has rounded the ids of rows', async () => {
  const header =
    'at,odds_id,event_id,sport,league,home_team,away_team,event_start_time,sportsbook,market_type,selection,selection_type,player_name,line,is_alternate_line,odds_american,odds_decimal,is_live,is_active,is_prematch,kind,indicative,is_removed,team,stat_category,commission';
  for (const id of ['7.72887E+18', '7,72887E+18', '7.72886736777334E+018', '7728867367773340000']) {
    const path = join(newFolder('overround-exported-'), 'saved.csv');
    const row = (second: number, selection: string, line: number, isAlternate: boolean, isRemoved: boolean) =>
      `2026-11-20T18:00:0${second}.000001000Z,"${id}",nba_jazz_magic,basketball,nba,Utah Jazz,Orlando Magic,2026-11-21T00:00:00.000Z,betmgm,total_points,${selection},${selection.toLowerCase()},,${line},${isAlternate ? 'TRUE' : 'FALSE'},-110,1.909091,FALSE,${isRemoved ? 'FALSE' : 'TRUE'},TRUE,,FALSE,${isRemoved ? 'TRUE' : 'FALSE'},,,`;
    const rows = [
      row(0, 'Over', 220.5, false, false),
      row(0, 'Under', 220.5, false, false),
      row(0, 'Over', 222.5, true, false),
      row(0, 'Over', 223.5, true, false),
      row(1, 'Over', 221.5, false, false),
      row(2, 'Over', 221.5, false, true),
      row(3, 'Over', 223.5, true, true),
    ];
    writeFileSync(path, `${[header, ...rows].join('\r\n')}\r\n`);
    const removed: string[] = [];
    for await (const poll of readRecording(path))
      for (const { events } of poll.messages)
        for (const { markets } of events!)
          for (const { selections } of markets)
            for (const { selection, line, is_removed } of selections)
              if (is_removed) removed.push(`${selection} ${line}`);
    assert.deepEqual(removed, ['Over 221.5', 'Over 223.5']);
  }
});

test('an export says in both formats alike whose team total it is, its statistic, and what its market charges', async () => {
  const price = priceFromAmerican(-110)!;
  const market = 'team_total';
  const commission = { model: 'contract', rate: 0.07, rounding: 'cent_up' } as const;
  const changes: Exported[] = [
    { price, more: { market, team: 'home' } },
    { price, more: { market, team: 'away' } },
    { price, player: 'A B', more: { stat: 'points', commission } },
  ];
  const said = (messages: readonly IngestMessage[]): unknown[] =>
    messages.map(({ events }) => {
      const { selections: _, ...about } = events![0]!.markets[0]!;
      return about;
    });
  const [lines, table] = [await readBack(changes, 'ndjson'), await readBack(changes, 'csv')];
  assert.deepEqual(said(table), said(lines));
  assert.deepEqual(said(lines), [
    { market_type: 'team_total', team: 'home' },
    { market_type: 'team_total', team: 'away' },
    { market_type: 'player_points', player_name: 'A B', stat_category: 'points', commission },
  ]);
});

test('an export of an earlier release is read as it was', async () => {
  const path = join(newFolder('overround-exported-'), 'old.csv');
  const head =
    'at,odds_id,event_id,sport,league,home_team,away_team,event_start_time,sportsbook,market_type,selection,selection_type,player_name,line,is_alternate_line,odds_american,odds_decimal,is_live,is_active,is_prematch,kind,indicative';
  const row = (at: string, american: string) =>
    `2026-11-20T18:0${at}:00.000001Z,1,e,basketball,nba,Utah Jazz,Orlando Magic,2026-11-21T00:00:00Z,betmgm,moneyline,Utah Jazz,home,,,false,${american},false,true,true,,false`;
  writeFileSync(path, `${head}\n${row('0', '105,2.05')}\n${row('1', '-105,1.953')}\n`);
  const messages: IngestMessage[] = [];
  for await (const poll of readRecording(path)) messages.push(...poll.messages);
  assert.deepEqual(
    messages.map((message) => [message.scope, message.events![0]!.markets[0]!.selections[0]!.odds_decimal]),
    [
      ['none', undefined],
      ['none', 1.953],
    ],
  );
});

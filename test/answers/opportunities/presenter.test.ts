import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from '../../../src/answers/csv.js';
import {
  csvColumns,
  csvRow,
  OpportunityPresenter,
  type ServedOpportunity,
} from '../../../src/answers/opportunities/presenter.js';
import type { OpportunityKind } from '../../../src/base/model/opportunity.js';
import { freshness } from '../../../src/detection/maths/ev.js';
import type { Opportunity } from '../../../src/log/delta/opportunity.js';
import { linkForState } from '../../../src/rules/catalogue/deep-link.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import type { EvOpportunity } from '../../../src/schema/opportunities-items.js';
import { OddsTable } from '../../../src/tables/table.js';
import { example, NOW_MS } from './examples.js';

const catalogue = loadCatalogue(undefined);
const server = new OpportunityPresenter(catalogue, new OddsTable(catalogue));

type Item = Record<string, unknown>;

const served = (opportunity: Opportunity, nowMs: number, state: string): Item => ({
  ...server.item(opportunity, nowMs, state),
});

const csvOf = (kind: OpportunityKind, items: ServedOpportunity[]): string =>
  toCsv(
    csvColumns(kind),
    items.map((item) => csvRow(kind, item)),
  ).toString();

test('ages are those at the moment of serving: overall, of each side, of each leg', () => {
  const ev = served(example('ev', { oldestSeenMs: NOW_MS - 12_340 }), NOW_MS, 'pa');
  assert.equal(ev['oldest_odds_age_seconds'], 12.3);
  const middle = served(example('middle', { seenMs: [NOW_MS - 2_000, NOW_MS - 9_000] }), NOW_MS, 'pa');
  assert.equal((middle['side1'] as Item)['odds_age_seconds'], 2);
  assert.equal((middle['side2'] as Item)['odds_age_seconds'], 9);
  const arbitrage = served(example('arbitrage', { seenMs: [NOW_MS - 1, NOW_MS] }), NOW_MS, 'pa');
  assert.deepEqual(
    (arbitrage['legs'] as Item[]).map((leg) => leg['last_seen_at']),
    ['2026-11-20T18:00:29.999Z', '2026-11-20T18:00:30.000Z'],
  );
  assert.equal(served(example('low_hold'), NOW_MS, 'pa')['odds_age_seconds'], 10);
});

test('possibly_stale begins after 300 s before the start and after 60 s in play', () => {
  const stale = (live: boolean, ageMs: number) =>
    served(example('ev', { live, oldestSeenMs: NOW_MS - ageMs }), NOW_MS, 'pa')['possibly_stale'];
  assert.deepEqual(
    [stale(false, 300_000), stale(false, 300_001), stale(true, 60_000), stale(true, 60_001)],
    [false, true, false, true],
  );
});

test('scores fall with age from their value at detection', () => {
  const score = (ageMs: number) =>
    served(example('ev', { oldestSeenMs: NOW_MS - ageMs }), NOW_MS, 'pa')['confidence_score'];
  assert.equal(score(0), 80);
  assert.equal(score(60_000), Math.round(80 * freshness(60, false) * 100) / 100);
});

test('the id is also served as hash_id, and detected_at is the position as a time', () => {
  const item = server.item(example('ev'), NOW_MS, 'pa') as EvOpportunity;
  assert.equal(item['id'], item['hash_id']);
  assert.equal(item['detected_at'], '2026-11-20T18:00:30.000000000Z');
});

test('links are for the requested state, wherever a book has it, at books with links by state', () => {
  const link = (book: string, url: string, state: string) => linkForState(catalogue.book(book), url, state);
  assert.equal(
    link('betmgm', 'https://sports.pa.betmgm.com/en/sports/events/77', 'nj'),
    'https://sports.nj.betmgm.com/en/sports/events/77',
  );
  assert.equal(link('fanduel', 'https://pa.sportsbook.fanduel.com/', 'nj'), 'https://nj.sportsbook.fanduel.com/');
  assert.equal(
    link('caesars', 'https://sportsbook.caesars.com/us/pa/bet', 'nj'),
    'https://sportsbook.caesars.com/us/nj/bet',
  );
  assert.equal(
    link('draftkings', 'https://sportsbook.draftkings.com/event/5', 'nj'),
    'https://sportsbook.draftkings.com/event/5',
  );
  assert.equal(link('betmgm', 'https://other.example/x?a=1', 'nj'), 'https://other.example/x?a=1&state=nj');
  assert.equal(link('betmgm', 'https://sports.pa.betmgm.com/x', 'pa'), 'https://sports.pa.betmgm.com/x');
  const hold = served(example('low_hold'), NOW_MS, 'nj');
  assert.deepEqual((hold['side2'] as Item)['deep_links'], { fanduel: 'https://nj.sportsbook.fanduel.com/' });
  assert.equal(served(example('ev'), NOW_MS, 'nj')['deep_link'], 'https://sports.nj.betmgm.com/en/sports/events/77');
});

test('a name that is a formula is a text in the CSV, and a negative number is still a number', () => {
  for (const evil of ['=HYPERLINK("http://x","y")', '+1+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\uff1d1']) {
    const item = server.item(example('ev', { item: { selection: evil, odds_american: -110 } }), NOW_MS, 'pa');
    const line = csvOf('ev', [item]).split('\r\n').slice(1).join('\r\n');
    // In each of its lines.
    const escaped = `'${evil.replaceAll('"', '""').replace('\r=', "\r'=")}`;
    assert.ok(line.includes(escaped), `${JSON.stringify(evil)} in ${line}`);
    assert.ok(line.includes(',-110,'), line);
  }
});

test('each kind has a header of its own, and as many cells in a line', () => {
  for (const kind of ['ev', 'arbitrage', 'middle', 'low_hold'] as const) {
    const [header = '', line = '', end] = csvOf(kind, [server.item(example(kind), NOW_MS, 'pa')]).split('\r\n');
    assert.equal(line.split(',').length, header.split(',').length, kind);
    assert.equal(end, '');
    assert.match(header, /^id,event_id,/);
  }
  assert.match(csvOf('arbitrage', []), /,leg1_sportsbook,.*,leg3_deep_link,/);
  assert.match(csvOf('middle', []), /,side1_odds_american,/);
});

// A kind is what finds it and one object in the table of kinds: lists, orders, CSV, thresholds, links, serving and the
// record's way between processes are written once. A further kind, added here, gets all of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list } from '../../../src/answers/opportunities/list.js';
import { csvColumns, csvRow, OpportunityPresenter } from '../../../src/answers/opportunities/presenter.js';
import { OPPORTUNITY_KINDS, type OpportunityKind } from '../../../src/base/model/opportunity.js';
import { RecordWriter } from '../../../src/base/model/opportunity-record.js';
import { formatUs } from '../../../src/base/model/time.js';
import { DEFAULT_LIMITS } from '../../../src/detection/kinds/caller-thresholds.js';
import { EVENT_COLUMNS, edge, type Kind, PRICE_SORTS } from '../../../src/detection/kinds/kind.js';
import { KINDS } from '../../../src/detection/kinds/kinds.js';
import { eventFields, priceFields } from '../../../src/detection/kinds/parts.js';
import { openNews } from '../../../src/detection/kinds/recorded-opportunity.js';
import { DELTA_VERSION } from '../../../src/log/delta/delta.js';
import { readLogTail } from '../../../src/store/shard-reader.js';
import { RecordedRows } from '../../../src/tables/recorded-rows.js';
import { UniverseOpportunities } from '../../../src/tables/universe-opportunities.js';
import { made } from '../../answers/opportunities/stream-rig.js';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { catalogue, Rig } from '../../writer/shard/rig.js';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');

/** A price that is longer than another book's at the same selection. */
interface LongerItem {
  id: string;
  event_id: string;
  sportsbook: string;
  odds_decimal: number;
  than: number;
}

const LONGER: Kind<LongerItem> = {
  compose: ({ id, market, sides }) => {
    const [longer, other] = sides.map(([leg]) => leg!);
    const { odds_decimal } = priceFields(longer!);
    return {
      id,
      ...eventFields(market.event, market.marketType),
      sportsbook: longer!.book,
      odds_decimal,
      than: other!.net,
    };
  },
  isSure: () => false,
  servedFields: { detected_at: '' },
  serve: (item, { detected_at }) => ({ ...item, detected_at }),
  meets: (_one, percent, { minEv }) => !(percent < minEv),
  mayMeet: (_least, most, { minEv }) => most >= minEv,
  sorts: { ...PRICE_SORTS, longer: edge },
  bestFirst: ['longer'],
  defaultSort: 'longer',
  better: { key: edge, descending: true },
  csv: [...EVENT_COLUMNS.split(' '), 'sportsbook', 'odds_decimal', 'than', 'detected_at'],
  linkAt: () => null,
};

test('a further kind goes the way of all', (t) => {
  const kind = 'longer' as OpportunityKind;
  (OPPORTUNITY_KINDS as unknown as string[]).push(kind);
  (KINDS as Record<string, Kind>)[kind] = LONGER as Kind;
  t.after(() => {
    (OPPORTUNITY_KINDS as unknown as string[]).pop();
    delete (KINDS as Record<string, Kind>)[kind];
  });
  const rig = new Rig(NOW_MS);
  t.after(() => rig.close());
  const poll = (book: string, home: number, away: number) =>
    message([event([moneyline(home, away)])], { book, polled_at: new Date(NOW_MS - 5_000).toISOString() });
  rig.send(poll('draftkings', 150, -170), poll('fanduel', 120, -140), poll('betmgm', 110, -130));
  const { table } = rig;
  const rowOf = (book: string): number => table.columns.no[table.slotOf(rig.row(book, 'moneyline', 'home')!.id)!]!;

  // As its finder would, in a shard: the rows of its legs, and the number that thresholds compare.
  const writer = new RecordWriter();
  const put = [
    ['00000000000000e1', 4, 'draftkings', 'fanduel'] as const,
    ['00000000000000e2', 9, 'draftkings', 'betmgm'] as const,
  ].flatMap(([id, percent, ...books]) => {
    const place = writer.begin(kind, 0, id, table.events.ordered()[0]!.no);
    writer.number(percent);
    writer.number(0);
    for (const [side, book] of books.entries()) writer.row(side, rowOf(book));
    return [place, rig.position + 1, rig.position + 1];
  });
  // Through a shard that follows what another found: its delta, log and store.
  const opportunities = { records: writer.bytes, universes: [{ universe: 'pro', from: 0, put, expired: [] }] };
  const nothing = { events: [], dropped: [], books: [], splits: [], futures: [] };
  rig.fold({ version: DELTA_VERSION, position: rig.position + 1, shard: 0, ...nothing, opportunities });
  rig.env.root.resetReadTxn();
  assert.deepEqual(
    [...readLogTail(rig.env).opportunities.listed()]
      .filter((one) => one.kind === kind)
      .map((one) => [one.kind, one.id]),
    [
      [kind, '00000000000000e1'],
      [kind, '00000000000000e2'],
    ],
  );

  // Anywhere else.
  const [news] = openNews(opportunities, new RecordedRows(table, 0));
  const followed = new UniverseOpportunities('all');
  followed.apply(rig.position, 0, news!);
  const listed = (minEv: number, sort?: string) =>
    list({
      kind,
      opportunities: followed.opportunities(),
      matches: () => true,
      limits: { ...DEFAULT_LIMITS, minEv },
      sort,
      bestOfEvent: false,
      limit: 10,
      offset: 0,
      nowMs: NOW_MS,
    }).page;
  const ids = (page: ReturnType<typeof listed>) => page.map(({ id }) => id);
  assert.deepEqual(ids(listed(2)), ['00000000000000e2', '00000000000000e1']);
  assert.deepEqual(ids(listed(5)), ['00000000000000e2']);
  assert.deepEqual(ids(listed(2, 'odds')), ['00000000000000e2', '00000000000000e1']);
  const [best] = listed(5);
  assert.deepEqual([best!.books, best!.oldestSeenMs], [['draftkings', 'betmgm'], NOW_MS - 5_000]);
  const served = new OpportunityPresenter(catalogue, table).item(best!, NOW_MS, 'nj');
  const { sportsbook, odds_decimal, than, detected_at } = served as unknown as LongerItem & { detected_at: string };
  assert.deepEqual([sportsbook, odds_decimal, than, detected_at], ['draftkings', 2.5, 2.1, formatUs(rig.position)]);
  const line = csvRow(kind, served);
  assert.deepEqual(Object.keys(line), csvColumns(kind));
  assert.equal(line['than'], 2.1);

  // A stream is sent it, and resumes.
  const { table: streamed, streams, ask } = made();
  const view = streams.open(ask({ kinds: [kind], minEv: 5 }));
  streamed.apply({ position: rig.position, shard: 0, opportunities: [news!] });
  assert.deepEqual(view.changesSince(rig.position - 1, NOW_MS), [{ kind, detected: [best!.id], expired: [] }]);
  assert.equal((JSON.parse(view.text(best!.id)!) as LongerItem).than, 2.1);
  streamed.apply({
    position: rig.position + 1,
    shard: 0,
    opportunities: [{ universe: 'pro', detected: [], expired: [{ kind, id: best!.id }] }],
  });
  assert.deepEqual(view.changesSince(rig.position, NOW_MS), [{ kind, detected: [], expired: [best!.id] }]);

  // It ends as all do.
  followed.apply(rig.position + 1, 0, {
    detected: [],
    expired: [{ kind, id: best!.id }],
  });
  assert.deepEqual(ids(listed(2)), ['00000000000000e1']);
});

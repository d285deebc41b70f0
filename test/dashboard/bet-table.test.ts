// Tables of bets as people keep them, and what the server says of their lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { completedTable, faultsOf, tableOf } from '../../dashboard/model/bet-table.js';
import { readBetTable } from '../../src/front/api/bet-request.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const HEAD = 'event_id,market_type,selection,sportsbook,stake,odds_american';
const LINE = 'nba_a_b_2026-11-29,moneyline,Home,draftkings,10,+105';

test('a table without client ids and modes is one of placed bets, known by their own words', () => {
  const table = completedTable(`\ufeff${HEAD}\r\n${LINE}\r\n\r\n${LINE}\n${LINE.replace('10', '12')}`);
  const { requests, lines } = readBetTable(bytes(table));
  assert.deepEqual(lines, [2, 4, 5], 'where they were');
  assert.deepEqual(
    requests.map(({ cents, mode, american }) => [cents, mode, american]),
    [
      [1_000, 'placed', 105],
      [1_000, 'placed', 105],
      [1_200, 'placed', 105],
    ],
  );
  const ids = requests.map(({ clientId }) => clientId);
  assert.equal(new Set(ids).size, 3, 'two bets with the same words are two');
  const again = readBetTable(bytes(completedTable(`${HEAD}\n${LINE}\n${LINE}`)));
  assert.deepEqual(
    again.requests.map(({ clientId }) => clientId),
    ids.slice(0, 2),
  );
});

test('what a table has already stays, letter by letter', () => {
  const whole = `client_id,mode,${HEAD}\na,paper,${LINE}\n`;
  assert.equal(completedTable(whole), whole);
  const { requests } = readBetTable(bytes(completedTable(`mode,${HEAD}\npaper,${LINE}`)));
  assert.equal(requests[0]!.mode, 'paper');
});

test('values with commas, quotes and line ends stay whole', () => {
  const value = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r\n', ' '), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), (notes) => {
      const quoted = notes.map((note) => `${LINE},"${note.replaceAll('"', '""')}"`);
      const { requests } = readBetTable(bytes(completedTable([`${HEAD},note`, ...quoted].join('\n'))));
      assert.deepEqual(
        requests.map(({ note }) => (note ?? '').replaceAll('\r\n', '\n')),
        notes.map((note) => note.replaceAll('\r\n', '\n')),
      );
    }),
  );
});

test('what the server says of a table is told by line, with the line beside it', () => {
  const faults = faultsOf(
    'line 2: stake must be a number; line 3: odds_american: 20 is no price; and 4 more lines',
    'a\nb\nc\r\nd',
  );
  assert.deepEqual(faults, [
    { line: 2, why: 'stake must be a number', text: 'b' },
    { line: 3, why: 'odds_american: 20 is no price', text: 'c' },
    { line: null, why: 'and 4 more lines', text: '' },
  ]);
  assert.deepEqual(faultsOf('the table is empty', ''), [{ line: null, why: 'the table is empty', text: '' }]);
});

test('of a table the bets that are shown are handed out, whole, below its head', () => {
  const table = 'id,note\r\nbet_1,"two\r\nlines, one bet"\r\nbet_2,\r\nbet_3,x\r\n';
  assert.equal(tableOf(table, new Set(['bet_1', 'bet_3'])), 'id,note\r\nbet_1,"two\r\nlines, one bet"\r\nbet_3,x\r\n');
});

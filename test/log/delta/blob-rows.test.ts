// What release 0.2.0 kept of an event is read as if it had been written today.
import assert from 'node:assert/strict';
import test from 'node:test';
import { RowChange } from '../../../src/base/model/row.js';
import { encode } from '../../../src/base/wire/codec.js';
import type { RowDelta } from '../../../src/log/delta/delta.js';
import { decodePart, type EventPart } from '../../../src/log/delta/event-part.js';

const added: RowDelta[9] = ['1000000000000000001', 'moneyline', 'Böston', 'home', null, null, null, false, 17];
const COMMISSION = { model: 'winnings', rate: 0.02 } as const;
const HEAD = ',"event_start_time":"2026-11-20T19:00:00.000Z","status":"upcoming"';

test('parts with rows whose rests were JSON are read with the same values', () => {
  const rests = [
    `${HEAD},"deep_link":"https://book.example/é?a=\\"1\\""}`,
    `${HEAD},"deep_link":null,"public_bet_pct":61,"max_bet":250}`,
    `${HEAD},"deep_link":null,"size":120.5,"exchange_token_id":"t"}`,
  ].map((text) => Buffer.from(text));
  const length = (i: number): number => rests[i]!.length;
  const old = [
    null,
    false,
    [
      [
        'pinnacle',
        [7],
        [
          [1, RowChange.added, -110, 1.909091, null, 0, 5, 0, 0, length(0), 0, added, 3],
          [2, RowChange.restated, 120, 2.2, -1.5, 0, 6, 0, 0, length(1), 0, null, 3],
          [3, RowChange.updated, 130, 2.3, -1.5, 0, 6, 0, 0, 0, 0, null, 3],
        ],
      ],
      ['betfair', [], [[4, RowChange.restated, 140, 2.4, null, 0, 6, 0, 0, length(2), 0, null, 1, COMMISSION]]],
    ],
    Buffer.concat(rests),
  ];
  const rows: RowDelta[] = [
    [1, RowChange.added, -110, 1.909091, null, 0, 5, 3, ['https://book.example/é?a="1"'], added],
    [2, RowChange.restated, 120, 2.2, -1.5, 0, 6, 3, [null, 250, 61, null], null],
    [3, RowChange.updated, 130, 2.3, -1.5, 0, 6, 3, null, null],
  ];
  const expected: EventPart = {
    event: null,
    dropped: false,
    books: [
      ['pinnacle', [7], rows],
      [
        'betfair',
        [],
        [
          [
            4,
            RowChange.restated,
            140,
            2.4,
            null,
            0,
            6,
            1,
            [null, null, null, [120.5, null, null, 't']],
            null,
            COMMISSION,
          ],
        ],
      ],
    ],
  };
  assert.deepEqual(decodePart(encode(old)), expected);
});

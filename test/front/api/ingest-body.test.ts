import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../../src/base/wire/codec.js';
import { readMessages } from '../../../src/front/api/ingest.js';
import { NOT_JSON } from '../../../src/intake/ingest/normalise.js';

const MIB = 1024 ** 2;
const JSON_TYPE = 'application/json';
const LINES = 'application/x-ndjson';

test('lines that are not JSON do not spoil those after them, whatever they leave open', () => {
  const good = '{"book":"a"}';
  const lines = ['', good, '[['.repeat(10), '{"a":"', ' ', '\\', good, ''];
  assert.deepEqual(readMessages(Buffer.from(lines.join('\n')), LINES), [
    { book: 'a' },
    NOT_JSON,
    NOT_JSON,
    NOT_JSON,
    { book: 'a' },
  ]);
  assert.throws(() => readMessages(Buffer.from('x\n'.repeat(1_001)), LINES), /more than 1000 lines .* are not JSON/);
});

test('a body whose values would cost far more than its bytes is refused before it is parsed', () => {
  const fill = (unit: string, open = '[', close = ']') =>
    Buffer.from(`${open}${Array.from({ length: MIB / (unit.length + 1) }, () => unit).join(',')}${close}`);
  const names = Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`);
  const refused: [body: Buffer, type: string, reason: RegExp][] = [
    [fill('{}'), JSON_TYPE, /^the body has more than \d+ values$/],
    [fill('1'), JSON_TYPE, /values/],
    [fill('[]', '{"book":"a","events":[', ']}'), JSON_TYPE, /values/],
    [Buffer.from('['.repeat(MIB)), JSON_TYPE, /nested more than 32 levels deep/],
    [Buffer.from('{"a":'.repeat(MIB / 5)), JSON_TYPE, /nested/],
    [Buffer.from(`{${names}}`), JSON_TYPE, /10000 different names/],
    [Buffer.from(`[${names.map((name) => `{${name}}`)}]`), JSON_TYPE, /10000 different names/],
    [Buffer.from('1\n'.repeat(MIB / 2)), LINES, /messages and events/],
    // Refused at that line: those after it are not parsed.
    [
      Buffer.from('{"book":"aaaaaaaaaaaa","scope":"none"}\n'.repeat(20_001) + 'x\n'.repeat(1_001)),
      LINES,
      /messages and events/,
    ],
    [Buffer.from(names.map((name) => `{${name}}`).join('\n')), LINES, /different names/],
    [fill('{"book":"aaaaaaaaaaaa","scope":"none"}'), JSON_TYPE, /more than 20000 messages and events/],
    [fill('{"league":"nba","home_team":"aaaaaa"}', '{"book":"a","events":[', ']}'), JSON_TYPE, /messages and events/],
    [encode(Array.from({ length: MIB }, () => null)), 'application/msgpack', /it has more than \d+ values/],
    [Buffer.alloc(MIB, 0x91), 'application/msgpack', /nested/],
  ];
  for (const [body, type, message] of refused)
    assert.throws(() => readMessages(body, type), { code: 'invalid_request', message }, body.toString('latin1', 0, 20));
  assert.equal(readMessages(Buffer.from(`["${'9'.repeat(MIB)}",${'9'.repeat(MIB)}]`), JSON_TYPE).length, 2);
  assert.deepEqual(readMessages(Buffer.from('\n'.repeat(MIB)), LINES), []);
});

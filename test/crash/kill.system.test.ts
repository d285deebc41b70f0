// kill -9 in the middle of a storm, repeatedly (twenty times with OVERROUND_LONG_TESTS=1): whatever was acknowledged is
// there after the restart, under the same ids, complete, results and opportunities too; and no position is used twice.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LONG } from '../long.js';
import { newFolder } from '../temp-folders.js';
import type { Dump, FromChild, Quote, ToChild } from './protocol.js';
import { BOOKS, bookOf, LEAGUES, rowsAt, seqOf, stormMessage } from './storm.js';

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url));
const ROUNDS = LONG ? 20 : 3;
/** Messages under way at once. */
const WINDOW = 12;

interface Memory {
  nextSeq: number;
  /** Newest acknowledged message of each book. */
  acknowledged: Map<string, number>;
  /** Newest message sent for each book. */
  sent: Map<string, number>;
  ids: Map<string, string>;
  keys: Map<string, string>;
  position: number;
  epoch: string | undefined;
  /** Moves by id, and when they were detected. */
  moves: Map<string, number>;
}

async function ask(child: ChildProcess, memory: Memory): Promise<void> {
  const answer = await new Promise<Dump>((resolve) => {
    // Listening all the time: between two calls of once() a message that comes with another is lost.
    const listen = (message: FromChild): void => {
      if (message.type !== 'dump') return;
      child.off('message', listen);
      resolve(message);
    };
    child.on('message', listen);
    child.send({ type: 'dump' } satisfies ToChild);
  });
  assert.ok(answer.position >= memory.position, 'the table is behind what was acknowledged before the crash');
  assert.equal(answer.epoch, memory.epoch ?? answer.epoch);
  memory.epoch = answer.epoch;
  checkOpportunities(answer, memory);
  checkQuotes(answer.quotes, memory);
  for (const [book, seq] of memory.acknowledged)
    assert.ok((answer.scores[book] ?? -1) >= seq, `the result of message ${seq} of ${book} is lost`);
}

/** What is listed is what the rows hold; a move goes on as it was. */
function checkOpportunities({ opportunities, evaluated }: Dump, { moves }: Memory): void {
  const bets = opportunities.filter(({ kind }) => kind !== 'move');
  assert.deepEqual(bets.map(({ id }) => id).sort(), evaluated);
  const listed = new Map(opportunities.map(({ id, detectedUs }) => [id, detectedUs]));
  for (const [id, detectedUs] of moves)
    assert.equal(listed.get(id), detectedUs, 'a move is lost, or was detected anew');
  for (const { kind, id, detectedUs } of opportunities) if (kind === 'move') moves.set(id, detectedUs);
}

function checkQuotes(quotes: readonly Quote[], memory: Memory): void {
  const { ids, keys, acknowledged, sent } = memory;
  for (const { id, key } of quotes) {
    assert.equal(ids.get(key) ?? id, id, `${key} has another id`);
    assert.equal(keys.get(id) ?? key, key, `${id} names another price`);
    ids.set(key, id);
    keys.set(id, key);
  }
  assert.equal(new Set(quotes.map(({ id }) => id)).size, quotes.length);
  for (const book of BOOKS)
    for (const league of LEAGUES) {
      const own = quotes.filter(({ key }) => key.startsWith(`${book}|${league}_`));
      const seqs = new Set(own.map(({ american }) => seqOf(american)));
      if (!acknowledged.has(book) && own.length === 0) continue;
      assert.equal(seqs.size, 1, `${book} ${league} is half applied: ${[...seqs]}`);
      const [seq] = [...seqs] as [number];
      assert.ok(seq >= (acknowledged.get(book) ?? 0), `${book} ${league} lost message ${acknowledged.get(book)}`);
      assert.ok(seq <= sent.get(book)!);
      assert.equal(own.length, rowsAt(seq), `${book} ${league} at message ${seq}`);
    }
}

/** Sends until `acks` messages are acknowledged, then kills at once, while a window of messages is under way. */
async function stormAndKill(child: ChildProcess, memory: Memory, acks: number): Promise<void> {
  const before = memory.position;
  let left = acks;
  const send = (): void => {
    const seq = memory.nextSeq++;
    memory.sent.set(bookOf(seq), seq);
    child.send({ type: 'ingest', seq, message: stormMessage(seq) } satisfies ToChild);
  };
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message: FromChild) => {
      if (message.type === 'refused') reject(new Error(message.reason));
      if (message.type === 'position') {
        if (message.position <= memory.position) reject(new Error(`position ${message.position} is used again`));
        memory.position = message.position;
      }
      if (message.type !== 'done') return;
      if (message.rejected > 0) reject(new Error('rejected'));
      const book = bookOf(message.seq);
      memory.acknowledged.set(book, Math.max(message.seq, memory.acknowledged.get(book) ?? 0));
      if (--left > 0) send();
      else if (left === 0) {
        child.kill('SIGKILL');
        resolve();
      }
    });
    for (let i = 0; i < WINDOW; i++) send();
  });
  await once(child, 'exit');
  assert.ok(memory.position > before);
}

test('killed again and again in a storm, nothing acknowledged is lost, halved or renamed', async (t) => {
  const dir = newFolder();
  const memory: Memory = {
    nextSeq: 0,
    acknowledged: new Map(),
    sent: new Map(),
    ids: new Map(),
    keys: new Map(),
    position: 0,
    epoch: undefined,
    moves: new Map(),
  };
  let child: ChildProcess | undefined;
  t.after(() => child?.kill('SIGKILL'));
  for (let round = 0; round < ROUNDS; round++) {
    child = fork(CHILD, [dir], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
    await ask(child, memory);
    await stormAndKill(child, memory, 10 + ((round * 37) % 60));
  }
  child = fork(CHILD, [dir], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
  await ask(child, memory);
  assert.equal(memory.acknowledged.size, BOOKS.length);
  assert.ok(memory.moves.size > 0);
  child.disconnect();
  await once(child, 'exit');
});

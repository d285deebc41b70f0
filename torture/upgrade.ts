// The data directory as release 0.2.0 would have left it: store version 5. In its log the links and details of rows lie as
// JSON in a blob behind them, and records of opportunities say whether streams had yet to be sent them.
import { readdirSync } from 'node:fs';
import { encodeDetails, NO_DETAILS } from '../src/base/model/row-details.js';
import { decode, encode } from '../src/base/wire/codec.js';
import { type Delta, decodeDelta, type RowDelta } from '../src/log/delta/delta.js';
import type { Slab } from '../src/store/opportunity-store.js';
import { openShardEnv, readMeta, type ShardEnv, splitSlabKey, writeMeta } from '../src/store/shard-env.js';
import { readLog, readLogTail } from '../src/store/shard-reader.js';
import { broughtUp } from '../src/store/slab.js';

const FORMER_VERSION = 5;

/** To be called while no process has the directory open. */
export async function makeFormer(dataDir: string): Promise<void> {
  const shards = readdirSync(dataDir).filter((name) => /^shard-\d+$/.test(name)).length;
  for (let shard = 0; shard < shards; shard++) {
    const env = openShardEnv(dataDir, shard);
    const deltas = [...readLog(env, 0)].map(({ bytes }) => decodeDelta(Uint8Array.from(bytes)));
    env.root.transactionSync(() => {
      putNumbers(env);
      writeMeta(env, { ...readMeta(env), version: FORMER_VERSION });
      for (const delta of deltas) void env.log.put(delta.position, encode(formerDelta(delta)));
      for (const eventNo of [...env.opportunities.getKeys()])
        void env.opportunities.put(eventNo, formerSlab(env.opportunities.getBinary(eventNo)!));
    });
    await env.root.close();
  }
}

/** With each commit, then. */
function putNumbers(env: ShardEnv): void {
  const { bookNames } = readMeta(env);
  const later = readLogTail(env).numbers;
  for (const { key, value } of [...env.numbers.getRange()]) {
    const { eventNo, bookNo } = splitSlabKey(key);
    void env.numbers.put(key, broughtUp(Buffer.from(value), later, eventNo, bookNames[bookNo]!));
  }
}

function formerDelta({ books, ...delta }: Delta): object {
  const rests: Buffer[] = [];
  const rowOf = ([no, change, american, decimal, line, seenMs, changedUs, activity, rest, ...others]: RowDelta) => {
    const json = rest === null ? NOTHING : Buffer.from(restJson(rest));
    rests.push(json);
    const [added, commission] = others;
    const row = [no, change, american, decimal, line, seenMs, changedUs, 0, 0, json.length, 0, added, activity];
    return commission === undefined ? row : [...row, commission];
  };
  const former = books.map(([event, book, polledUs, touches, removed, rows]) => {
    return [event, book, polledUs, touches, removed, rows.map(rowOf)];
  });
  const universes = delta.opportunities.universes.map(({ from: fromPosition, put, ...news }) => {
    const doubled = put.map((value, i) => (i % 3 === 0 ? 2 * value + 1 : value));
    return { ...news, whole: fromPosition !== undefined, fromPosition, put: doubled };
  });
  const opportunities = { records: delta.opportunities.records, universes };
  return { ...delta, version: FORMER_VERSION, books: former, blob: Buffer.concat(rests), opportunities };
}

const NOTHING = Buffer.alloc(0);

function restJson([link, maxBet = null, publicBetPct = null, exchange = null]: NonNullable<RowDelta[8]>): string {
  const details = encodeDetails({ ...NO_DETAILS, maxBet, publicBetPct, exchange });
  return `,"event_start_time":"","status":"","deep_link":${JSON.stringify(link)}${details}}`;
}

/** Streams had yet to be sent each. */
function formerSlab(bytes: Buffer): Buffer {
  const [universes, entries] = decode(Buffer.from(bytes)) as Slab;
  return encode([universes, entries.map(([no, detected, updated, record]) => [no, detected, updated, true, record])]);
}

// A process to be killed: a real engine that receives messages over IPC and answers when they are acknowledged.

import { BET_KINDS } from '../../src/base/model/opportunity.js';
import { Engine } from '../../src/engine/engine.js';
import { readResults } from '../../src/store/extras-store.js';
import { engineOptions } from '../engine-rig.js';
import { rowsOf } from '../writer/shard/rig.js';
import type { FromChild, Quote, ToChild } from './protocol.js';

const engine = new Engine(engineOptions(process.argv[2]!));
const say = (message: FromChild): void => void process.send!(message);

engine.onDelta((_applied, { position }) => say({ type: 'position', position }));

async function dump(): Promise<void> {
  await engine.ensureUniverse({ key: 'sharp', books: null });
  const caller = { account: 'acc', viewer: false };
  const found = await Promise.all(BET_KINDS.map((kind) => engine.evaluate({ kind, books: null }, caller)));
  const evaluated = found.flatMap(({ opportunities }) => opportunities.map(({ id }) => id)).sort();
  const quotes: Quote[] = [...rowsOf(engine.table).values()].map((row) => ({
    id: row.id,
    key: `${row.sportsbook}|${row.event_id}|${row.market_type}|${row.selection_type}|${row.is_alternate_line ? row.line : ''}`,
    american: row.odds_american,
  }));
  const [env] = engine.directory.envs.filter((one) => [...readResults(one)].length > 0);
  const words = env === undefined ? {} : [...readResults(env)][0]!.words;
  const scores = Object.fromEntries(Object.values(words).map(({ source, score }) => [source, score!.home]));
  const opportunities = [...engine.opportunities.of('sharp').opportunities()].map(({ kind, id, detectedUs }) => ({
    kind,
    id,
    detectedUs,
  }));
  const { position } = engine.table;
  say({ type: 'dump', quotes, scores, position, epoch: engine.directory.epoch, opportunities, evaluated });
}

process.on('message', (message: ToChild) => {
  if (message.type === 'dump') {
    void dump();
    return;
  }
  engine.ingest([message.message]).then(
    ({ rejected, accepted }) => say({ type: 'done', seq: message.seq, accepted, rejected: rejected.length }),
    (error: unknown) => say({ type: 'refused', seq: message.seq, reason: String(error) }),
  );
});

// Otherwise it would run forever once its parent is gone.
process.on('disconnect', () => process.exit(0));

// What the engine spends more for each further front, which costs it a write to a socket a batch.
import type { Bench } from '../bench.js';
import { BOOKS, CHANGES_PER_POST, JUDGED_RATE } from '../delays.js';
import { startFront, startFronts } from '../fronts.js';
import { Market } from '../market.js';
import { dataFolder, movingPosts, type Overround } from '../overround.js';
import { cpuTime, LOAD_CORE, SERVER_CORE } from '../process.js';
import { atRate } from '../publisher.js';
import { median } from '../statistics.js';

const FEW_FRONTS = 1;
const MANY_FRONTS = 4;
const COST_TARGET_PERCENT = 3;
const WARM_MS = 3_000;

export async function frontCost(bench: Bench): Promise<void> {
  const market = new Market({ events: bench.full ? 1_000 : 600, books: BOOKS }, Date.now());
  const dataDir = dataFolder(bench.folder, 'cluster-cost');
  const { engine, fronts, stop } = await startFronts(dataDir, FEW_FRONTS, LOAD_CORE);
  await engine.fill(market);
  engine.moveTo(SERVER_CORE);
  const publisher = engine.publisher();
  const posts = movingPosts(market, CHANGES_PER_POST);
  let index = 0;
  const changing = (ms: number): Promise<unknown> =>
    atRate(JUDGED_RATE / CHANGES_PER_POST, ms, () => publisher.post(posts[index++ % posts.length]!.stamped()));
  const ms = bench.full ? 5_000 : 1_500;
  const seconds = async (): Promise<number> => {
    await changing(300);
    const before = cpuTime(engine.pid).process;
    await changing(ms);
    return cpuTime(engine.pid).process - before;
  };
  await changing(WARM_MS);
  const costs: number[] = [];
  for (let round = 0; round < (bench.full ? 4 : 3); round++) {
    const few = await seconds();
    const more: Overround[] = [];
    while (FEW_FRONTS + more.length < MANY_FRONTS) more.push(await startFront(dataDir, engine, LOAD_CORE));
    const many = await seconds();
    for (const front of more) await front.stop();
    // Again with few, so that what drifts meanwhile falls on both sides.
    const base = (few + (await seconds())) / 2;
    costs.push((many / base - 1) / (MANY_FRONTS - FEW_FRONTS));
  }
  publisher.close();
  if (fronts.some(({ child }) => child.process.exitCode !== null)) throw new Error('a front has ended');
  await stop();
  bench.figure(
    `CPU time of the engine for each further front, ${FEW_FRONTS} to ${MANY_FRONTS}, at ${JUDGED_RATE} changes/s`,
    median(costs) * 100,
    '%',
    COST_TARGET_PERCENT,
  );
}

// `npm run torture -- --minutes N --seed S`: a storm of books against the real program with readers of every kind,
// faults (or with --fuzz attacks) by seed, and invariants checked all along and at every quiet moment. Exits with 1 if an
// invariant was broken.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../test/world/random.js';
import { AccountRecords } from './account.js';
import { Deployment } from './deployment.js';
import type { FaultName } from './fault-names.js';
import {
  BESIDE_OTHERS,
  FAULTS,
  type FaultKeys,
  INTERRUPTING,
  NOT_OF_A_CLUSTER,
  OF_A_CLUSTER,
  OF_FRONTS,
  OF_THE_SYSTEM,
} from './faults.js';
import { fuzz } from './fuzz.js';
import { checkHistory } from './history.js';
import { LateReader } from './late.js';
import { allRows, BOOK_IDS, checkReaders, checkRows, positionOf } from './laws.js';
import { LoadedRun } from './loaded-run.js';
import { mcpReader } from './mcp.js';
import { Meter } from './meter.js';
import { checkOpportunities } from './opportunities.js';
import { type Options, parseOptions, USAGE } from './options.js';
import { deltaReader, pageReader, type Reader, streamReader } from './readers.js';
import { report } from './report.js';
import { SHIM, SystemFaults } from './shim.js';
import { soak } from './soak.js';
import { Starvation } from './starvation.js';
import { Storm } from './storm.js';
import { checkStreamed } from './streamed.js';
import { Truth } from './truth.js';
import { Webhooks } from './webhooks.js';

/** Faults between two quiet moments, and quiet moments of a season. */
const FAULTS_A_QUIET = 3;
const QUIETS_A_SEASON = 4;
/** Chance that another fault is under way, and how much earlier it may begin. */
const BESIDE_CHANCE = 0.4;
const BESIDE_MS_MAX = 1_500;

interface Keys extends FaultKeys {
  hobby: string;
  free: string;
}

async function torture(options: Options): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'overround-torture-'));
  const system = SystemFaults.build(SHIM, folder);
  const possible = options.faults.filter((name) => isPossible(name, options));
  const faults = possible.filter((name) => system !== null || !OF_THE_SYSTEM.includes(name));
  for (const name of possible) if (!faults.includes(name)) say(`left out: ${name} (no C compiler here)`);
  let complain = (_line: string): void => undefined;
  const starvation = new Starvation(folder, () => deployment.pids);
  const deployment = await Deployment.make(options, {
    folder,
    system,
    flags: ['--alert-hosts', '127.0.0.1', ...(options.flush ? ['--durability', 'flush'] : [])],
    complain: (line) => complain(line),
    onLine: (node, line) => {
      if (options.log !== undefined) appendFileSync(options.log, `${node} ${line}\n`);
    },
    patience: (ms) => run.patience(ms),
    endedByItself: (how) => run.endedByItself(how),
  });
  const run = new LoadedRun(deployment, new Truth(), starvation, options.flush);
  complain = (line) => run.find('the log has nothing of the kind', line);
  const meter = new Meter(run);
  const ends: (() => Promise<void> | undefined)[] = [];
  let ended = false;
  try {
    const parts = await begin(run, options, meter, ends);
    if (options.fuzz) await fuzz(run, options, meter, () => quiet(run, parts));
    else await faultAfterFault(run, options, faults, parts);
    await quiet(run, parts);
    ended = true;
  } catch (error) {
    run.find('the run goes on', (error as Error).stack ?? String(error));
  } finally {
    await Promise.all(ends.map((end) => end()));
    await deployment.end().catch((error: Error) => run.find('ends when asked', error.message));
    starvation.close();
    system?.close();
    if (!options.keep) rmSync(folder, { recursive: true, force: true });
  }
  say(report(run, options, faults, meter.series, ended).text);
  keepReport(run, options, faults, meter, ended);
  return run.findings.length === 0 ? 0 : 1;
}

/** The program, the books that push into it, and its readers. `ends` collects the functions that end them. */
async function begin(
  run: LoadedRun,
  options: Options,
  meter: Meter,
  ends: (() => Promise<void> | undefined)[],
): Promise<Parts> {
  const { deployment } = run;
  // Keys of a cluster are made by its engine.
  await deployment.start();
  const limits = ['--streaming', '--max-streams', '2000', '--requests-per-minute', '1000000000'];
  const keys: Keys = {
    reader: deployment.key('enterprise', ...limits),
    ingest: deployment.key('enterprise', '--scope', 'ingest', ...limits),
    hobby: deployment.key('hobby', '--requests-per-minute', '1000000000'),
    free: deployment.key('free', '--requests-per-minute', '1000000000'),
  };
  const storm = new Storm(run, new Random(options.seed), BOOK_IDS, keys.ingest, options.rate);
  ends.push(() => storm.end());
  run.storm = storm;
  await run.disturb('start', async () => {
    run.webhooks = await Webhooks.make(run, keys.reader);
    run.records = new AccountRecords(run, new Random(options.seed ^ 0x2545f491), keys.reader);
    await run.records.deposit();
  });
  ends.push(() => run.webhooks.close());
  ends.push(() => run.records.close());
  await storm.nextSeason();
  const readers = [
    streamReader(run, 'SSE', keys.reader),
    streamReader(run, 'WebSocket', keys.reader),
    deltaReader(run, keys.reader),
    pageReader(run, keys.reader),
    mcpReader(run, keys.reader),
  ];
  const late = new LateReader(run, keys.free);
  for (const reader of [...readers, late]) ends.push(() => reader.close());
  return { storm, readers, late, keys, meter };
}

function isPossible(name: FaultName, { fronts, cluster }: Options): boolean {
  if (OF_FRONTS.includes(name)) return fronts > 0;
  return cluster ? !NOT_OF_A_CLUSTER.includes(name) : !OF_A_CLUSTER.includes(name);
}

interface Parts {
  storm: Storm;
  readers: readonly Reader[];
  late: LateReader;
  keys: Keys;
  meter: Meter;
}

async function faultAfterFault(
  run: LoadedRun,
  options: Options,
  faults: readonly FaultName[],
  parts: Parts,
): Promise<void> {
  const { minutes, seed, everyS } = options;
  // A generator of their own, so that the order of the storm's answers does not affect them.
  const random = new Random(seed ^ 0x5bd1e995);
  let chosen: FaultName[] = [];
  const endMs = run.elapsedMs + minutes * 60_000;
  for (let turn = 1; run.elapsedMs < endMs; turn++) {
    await wait(random.between(0.5, 1.5) * everyS * 1_000);
    // Each once in random order, then all over again.
    if (chosen.length === 0) chosen = random.shuffled(faults);
    const name = chosen.pop();
    if (name !== undefined) await injectFault(run, random, name, faults, parts.keys);
    parts.meter.read();
    if (turn % FAULTS_A_QUIET !== 0) continue;
    await quiet(run, parts);
    keepReport(run, options, faults, parts.meter, false);
    if ((turn / FAULTS_A_QUIET) % QUIETS_A_SEASON === 0) await parts.storm.nextSeason();
  }
}

/** At times with another fault already under way. */
async function injectFault(
  run: LoadedRun,
  random: Random,
  name: FaultName,
  faults: readonly FaultName[],
  keys: Keys,
): Promise<void> {
  const inject = (which: FaultName): Promise<void> => {
    progress(run, which);
    run.count(`fault ${which}`);
    const own = new Random(random.int(0, 2 ** 31));
    return run.disturb(which, () => FAULTS[which](run, own, keys));
  };
  const beside = faults.filter((each) => BESIDE_OTHERS.includes(each));
  const together = INTERRUPTING.includes(name) && beside.length > 0 && random.chance(BESIDE_CHANCE);
  const first = together ? inject(random.pick(beside)) : undefined;
  if (together) await wait(random.int(0, BESIDE_MS_MAX));
  await Promise.all([first, inject(name)]);
}

/** The books stop, each repeats its statements, and then everything must be exact. */
async function quiet(run: LoadedRun, { storm, readers, late, keys }: Parts): Promise<void> {
  await storm.pause();
  // Before anything is said again, which would make up for what is missing.
  if (storm.repeated) {
    const rows = await allRows(run, keys.reader);
    if (rows === null) run.find('answers', '/odds could not be read when the books had fallen quiet');
    else checkRows(run, rows, 'acknowledged stays');
  }
  await storm.refresh();
  while (!run.calm) await wait(50);
  const before = await positionOf(run, keys.reader);
  const rows = await allRows(run, keys.reader);
  if (rows === null) run.find('answers', '/odds could not be read in a quiet moment');
  else {
    checkRows(run, rows, 'acknowledged stays');
    await checkReaders(run, readers, rows);
    await checkStreamed(run, readers, keys.reader);
    await run.webhooks.check(rows);
    await run.records.check();
    // Before anything slow: prices are fresh for a minute.
    await checkOpportunities(run, 'sharp', keys.reader, rows, ['arbitrage', 'low_hold', 'middle']);
    await checkOpportunities(run, 'hobby', keys.hobby, rows, ['arbitrage', 'low_hold']);
    // Engines of a cluster have a history each, of what they saw.
    if (!run.deployment.clustered) await checkHistory(run, keys.reader, rows, run.fellBackUs);
    if (before !== null && before === (await positionOf(run, keys.reader))) late.note(before, run.now() * 1_000, rows);
  }
  run.count('quiet moments');
  await storm.resume();
}

/** Also during the run: a run that is cut off leaves what it has seen so far. */
function keepReport(
  run: LoadedRun,
  options: Options,
  faults: readonly FaultName[],
  { series }: Meter,
  ended: boolean,
): void {
  if (options.report === undefined) return;
  const { json } = report(run, options, faults, series, ended);
  writeFileSync(options.report, `${JSON.stringify(json, null, 2)}\n`);
}

function progress(run: LoadedRun, name: string): void {
  const acknowledged = run.counts['messages acknowledged'] ?? 0;
  say(
    `${(run.elapsedMs / 1_000).toFixed(1).padStart(7)} s  ${name.padEnd(14)} ${acknowledged} messages, ${run.findings.length} findings`,
  );
}

function formOf({ fronts, cluster, flush }: Options): string {
  const form = cluster ? 'a cluster' : fronts === 0 ? 'one process' : `${fronts} fronts`;
  return flush ? `${form} with --durability flush` : form;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  const options = parseOptions(process.argv.slice(2), Math.floor(Math.random() * 2 ** 31));
  if (options.soak) {
    say(`seed ${options.seed}, two hours of the simulated market, ${options.accelerate} times as fast`);
    process.exitCode = await soak(options, say);
  } else {
    say(`seed ${options.seed}, ${options.minutes} min, ${formOf(options)}`);
    process.exitCode = await torture(options);
  }
} catch (error) {
  say(`${(error as Error).stack ?? String(error)}\n${USAGE}`);
  process.exitCode = 2;
}

// `npm run torture -- --minutes N --seed S`: a storm of books against the real program with readers of every kind, faults
// by seed, and the laws checked all along and whenever it is quiet. Ends with 1 where a law was broken.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Random } from '../test/world/random.js';
import type { FaultName } from './fault-names.js';
import { FAULTS, type FaultKeys, OF_FRONTS, OF_THE_SYSTEM } from './faults.js';
import { LateReader } from './late.js';
import { allRows, BOOK_IDS, checkOpportunities, checkReaders, checkRows, positionOf } from './laws.js';
import { type Options, parseOptions, USAGE } from './options.js';
import { PowerLoss } from './power.js';
import { Program } from './program.js';
import { deltaReader, pageReader, type Reader, streamReader } from './readers.js';
import { report } from './report.js';
import { Run } from './run.js';
import { SystemFaults } from './shim.js';
import { Storm } from './storm.js';
import { ThreadFaults } from './threads.js';
import { Truth } from './truth.js';

const SHIM = fileURLToPath(new URL('../../torture/shim.c', import.meta.url));
/** Faults between two quiet moments, and quiet moments of a season. */
const FAULTS_A_QUIET = 3;
const QUIETS_A_SEASON = 4;
const RSS_MAX = 1.5 * 2 ** 30;
const FILES_MAX = 400;

interface Keys extends FaultKeys {
  hobby: string;
  free: string;
}

async function torture(options: Options): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'overround-torture-'));
  const system = SystemFaults.build(SHIM, folder);
  const threads = new ThreadFaults(folder);
  const possible = options.faults.filter((name) => options.fronts > 0 || !OF_FRONTS.includes(name));
  const faults = possible.filter((name) => system !== null || !OF_THE_SYSTEM.includes(name));
  for (const name of possible) if (!faults.includes(name)) say(`left out: ${name} (no C compiler here)`);
  const dataDir = join(folder, 'data');
  const power = system === null ? null : new PowerLoss(folder, dataDir);
  let complain = (_line: string): void => undefined;
  const program = await Program.make({
    dataDir,
    fronts: options.fronts,
    env: { ...system?.env, ...power?.env, ...threads.env },
    complain: (line) => complain(line),
  });
  const run = new Run(program, new Truth(), system, threads, power);
  complain = (line) => run.find('the log has nothing of the kind', line);
  const limits = ['--streaming', '--max-streams', '2000', '--requests-per-minute', '1000000000'];
  const keys: Keys = {
    reader: program.key('enterprise', ...limits),
    ingest: program.key('enterprise', '--scope', 'ingest', ...limits),
    hobby: program.key('hobby', '--requests-per-minute', '1000000000'),
    free: program.key('free', '--requests-per-minute', '1000000000'),
  };
  await program.start();
  const storm = new Storm(run, new Random(options.seed), BOOK_IDS, keys.ingest);
  run.powerLost = () => storm.powerLost();
  await storm.nextSeason();
  const readers = [
    streamReader(run, 'SSE', keys.reader),
    streamReader(run, 'WebSocket', keys.reader),
    deltaReader(run, keys.reader),
    pageReader(run, keys.reader),
  ];
  const late = new LateReader(run, keys.free);
  const parts: Parts = { storm, readers, late, keys };
  try {
    await faultAfterFault(run, options, faults, parts);
    await quiet(run, parts);
  } finally {
    await storm.pause();
    await late.close();
    await Promise.all(readers.map((reader) => reader.close()));
    if (program.running) await program.terminate().catch((error: Error) => run.find('ends when asked', error.message));
    system?.close();
    if (!options.keep) rmSync(folder, { recursive: true, force: true });
  }
  const told = report(run, options, faults);
  say(told.text);
  if (options.report !== undefined) writeFileSync(options.report, `${JSON.stringify(told.json, null, 2)}\n`);
  return run.findings.length === 0 ? 0 : 1;
}

interface Parts {
  storm: Storm;
  readers: readonly Reader[];
  late: LateReader;
  keys: Keys;
}

async function faultAfterFault(
  run: Run,
  { minutes, seed, everyS }: Options,
  faults: readonly FaultName[],
  parts: Parts,
): Promise<void> {
  // Of their own, so that the order of the storm's answers does not move them.
  const random = new Random(seed ^ 0x5bd1e995);
  let chosen: FaultName[] = [];
  const endMs = run.elapsedMs + minutes * 60_000;
  for (let turn = 1; run.elapsedMs < endMs; turn++) {
    await wait(random.between(0.5, 1.5) * everyS * 1_000);
    // Each once in random order, then all over again.
    if (chosen.length === 0) chosen = random.shuffled(faults);
    const name = chosen.pop();
    if (name !== undefined) {
      progress(run, name);
      run.count(`fault ${name}`);
      await run.disturb(name, () => FAULTS[name](run, new Random(random.int(0, 2 ** 31)), parts.keys));
    }
    measure(run);
    if (turn % FAULTS_A_QUIET !== 0) continue;
    await quiet(run, parts);
    if ((turn / FAULTS_A_QUIET) % QUIETS_A_SEASON === 0) await parts.storm.nextSeason();
  }
}

/** The books stop, every one says once more what it has, and then all must be exact. */
async function quiet(run: Run, { storm, readers, late, keys }: Parts): Promise<void> {
  await storm.pause();
  await storm.refresh();
  while (!run.calm) await wait(50);
  const before = await positionOf(run, keys.reader);
  const rows = await allRows(run, keys.reader);
  if (rows === null) run.find('answers', '/odds could not be read in a quiet moment');
  else {
    checkRows(run, rows, 'acknowledged stays');
    await checkReaders(run, readers, rows);
    await checkOpportunities(run, 'sharp', keys.reader, rows);
    await checkOpportunities(run, 'hobby', keys.hobby, rows);
    if (before !== null && before === (await positionOf(run, keys.reader))) late.note(before, run.now() * 1_000, rows);
  }
  run.count('quiet moments');
  await storm.resume();
}

function measure(run: Run): void {
  const { rss, files } = run.program.measure();
  run.most('memory, MiB', Math.round(rss / 2 ** 20));
  run.most('files', files);
  if (rss > RSS_MAX) run.find('memory is bounded', `${Math.round(rss / 2 ** 20)} MiB`);
  if (files > FILES_MAX) run.find('files are bounded', `${files} open`);
}

function progress(run: Run, name: string): void {
  const acknowledged = run.counts['messages acknowledged'] ?? 0;
  say(
    `${(run.elapsedMs / 1_000).toFixed(1).padStart(7)} s  ${name.padEnd(14)} ${acknowledged} messages, ${run.findings.length} findings`,
  );
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  const options = parseOptions(process.argv.slice(2), Math.floor(Math.random() * 2 ** 31));
  say(
    `seed ${options.seed}, ${options.minutes} min, ${options.fronts === 0 ? 'one process' : `${options.fronts} fronts`}`,
  );
  process.exitCode = await torture(options);
} catch (error) {
  say(`${(error as Error).stack ?? String(error)}\n${USAGE}`);
  process.exitCode = 2;
}

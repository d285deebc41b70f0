// `npm run bench [SECTION …]`: runs the sections, prints the results, writes JSON and a report, compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Baseline, baselineOf, keepingOthers, readBaseline } from './baseline.js';
import { Bench, type Section, tookLine } from './bench.js';
import { compare, comparisonLines, worseAgain } from './compare.js';
import { buildLoad } from './load.js';
import { isCalm, machineTicks, thisMachine } from './machine.js';
import { mergeRuns } from './merge.js';
import { installPeers } from './peers.js';
import { killAll, LOAD_CORE, pinSelf, SERVER_CORE } from './process.js';
import { type Run, writeReport } from './report.js';
import { bodies } from './sections/bodies.js';
import { cluster } from './sections/cluster.js';
import { compressed } from './sections/compressed.js';
import { cost } from './sections/cost.js';
import { delay } from './sections/delay.js';
import { depth } from './sections/depth.js';
import { desk } from './sections/desk.js';
import { detection } from './sections/detection.js';
import { fanOut } from './sections/fan-out.js';
import { files } from './sections/files.js';
import { grading } from './sections/grading.js';
import { history } from './sections/history.js';
import { joins } from './sections/joins.js';
import { memory } from './sections/memory.js';
import { opportunities } from './sections/opportunities.js';
import { replay } from './sections/replay.js';
import { requests } from './sections/requests.js';
import { rest } from './sections/rest.js';
import { scale } from './sections/scale.js';
import { sink } from './sections/sink.js';
import { store } from './sections/store.js';
import { venues } from './sections/venues.js';

const SECTIONS: readonly Section[] = [
  rest,
  fanOut,
  joins,
  compressed,
  delay,
  detection,
  store,
  depth,
  grading,
  history,
  replay,
  desk,
  cluster,
  scale,
  cost,
  memory,
  venues,
  bodies,
  requests,
  opportunities,
  sink,
  files,
];
/** What CI has the time for. */
const SHORT = ['rest', 'fan-out', 'joins', 'compressed', 'delay', 'detection', 'store', 'depth', 'grading'];
const HELP = `npm run bench -- [SECTION …] [--profile short|full] [--json FILE] [--report FILE.md] [--compare BASELINE.json] [--recording POLLS.ndjson.gz] [--install-peers]
npm run bench -- --make-baseline BASELINE.json --runs 5 [SECTION …]   (measured one after the other; of other
  sections the file keeps what it says, if it is of this machine)
npm run bench -- --make-baseline BASELINE.json RUN.json …   (runs saved with --json)
npm run bench -- --make-report FILE.md RUN.json …   (sections run one by one, medians of what several runs have)

${SECTIONS.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join('\n')}

Without names: all sections, in the short profile ${SHORT.join(', ')}.
--compare measures sections with a worse ratio up to twice more; a ratio that is worse three times ends it with 3, or
with 1 if the baseline was made on another processor or other programs kept this one busy. A section that breaks off
ends it with 4.
`;

const say = (text: string): void => void process.stdout.write(text);

const OPTIONS = {
  profile: { type: 'string', default: 'short' },
  json: { type: 'string' },
  report: { type: 'string' },
  compare: { type: 'string' },
  recording: { type: 'string' },
  'make-baseline': { type: 'string' },
  'make-report': { type: 'string' },
  runs: { type: 'string' },
  'install-peers': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** A usage error: its message is the one line with which the program ends. */
class UsageError extends Error {}

function usage() {
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ', 1)[0]);
  }
}

async function main(): Promise<number> {
  const { values, positionals } = usage();
  if (values.help) {
    say(HELP);
    return 0;
  }
  if (values['make-baseline'] !== undefined && values.runs === undefined)
    return makeBaseline(values['make-baseline'], runsOf(positionals));
  if (values['make-report'] !== undefined) {
    writeReport(values['make-report'], mergeRuns(runsOf(positionals)));
    return 0;
  }
  const { profile } = values;
  const unknown = positionals.find((name) => !SECTIONS.some((section) => section.name === name));
  if (unknown !== undefined)
    throw new UsageError(`there is no section ${unknown}: ${SECTIONS.map(({ name }) => name).join(', ')}`);
  if (profile !== 'short' && profile !== 'full')
    throw new UsageError(`--profile must be short or full, not ${profile}`);
  // Read before minutes are spent.
  const baseline = values.compare === undefined ? undefined : read(values.compare, readBaseline);
  if (values['install-peers']) installPeers();
  const wanted = positionals.length > 0 ? positionals : profile === 'short' ? SHORT : SECTIONS.map(({ name }) => name);
  const measured = (sections: readonly string[]): Promise<Run> => {
    const bench = new Bench(profile, say);
    bench.recording = values.recording;
    return measure(bench, sections);
  };
  if (values['make-baseline'] !== undefined) {
    const runs: Run[] = [];
    for (const count = countOf(values.runs); runs.length < count; ) runs.push(await measured(wanted));
    return makeBaseline(values['make-baseline'], runs, positionals);
  }
  const run = await measured(wanted);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(run, null, 2)}\n`);
  if (values.report !== undefined) writeReport(values.report, run);
  const worse = baseline === undefined ? 'no' : await isWorse(baseline, run, wanted, measured);
  if (run.broken.length > 0) return BROKEN;
  if (worse !== 'no') return worse === 'yes' && baseline?.cpu === thisMachine().cpu ? WORSE : WORSE_ELSEWHERE;
  return 0;
}

/** How the program ends if something was worse each time: on a machine like the baseline's, or another or busy one. */
const WORSE = 3;
const WORSE_ELSEWHERE = 1;
/** And if a section broke off, whatever else was measured. */
const BROKEN = 4;

function countOf(runs: string | undefined): number {
  const count = Number(runs);
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`--runs must be a number from 1 on, not ${runs}`);
  return count;
}

/** Throws UsageError if the file cannot be read or parsed. */
function read<T>(file: string, parse: (text: string) => T): T {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
}

function runsOf(files: readonly string[]): Run[] {
  if (files.length === 0) throw new UsageError('name the runs, files saved with --json');
  return files.map((file) => read(file, runOf));
}

function runOf(text: string): Run {
  const run = JSON.parse(text) as Run;
  if (run?.version !== 1) throw new Error('no run of the bench: it has no version 1');
  return run;
}

/** Of runs of some sections alone it replaces what the file says of these. */
function makeBaseline(file: string, runs: readonly Run[], sections: readonly string[] = []): number {
  const earlier = sections.length > 0 && existsSync(file) ? read(file, readBaseline) : undefined;
  const baseline = keepingOthers(baselineOf(runs), earlier, sections);
  writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`);
  say(`${baseline.ratios.length} ratios of ${baseline.runs} runs\n`);
  return 0;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

async function measure(bench: Bench, wanted: readonly string[]): Promise<Run> {
  const close = (): void => bench.close();
  // Requests under way when a section broke off.
  const broke = (error: unknown): void => bench.broke(reasonOf(error));
  process.on('exit', close);
  process.on('unhandledRejection', broke);
  const madeAt = new Date().toISOString();
  bench.noLoad = buildLoad(bench.folder);
  if (!pinSelf()) say('taskset or a second core is missing: servers and load share what there is\n');
  const before = machineTicks();
  for (const section of SECTIONS) {
    if (!wanted.includes(section.name)) continue;
    bench.section = section.name;
    say(`${section.name}: ${section.about}\n`);
    if (section.underLoad && bench.noLoad !== undefined) {
      bench.skip(section.about, bench.noLoad);
      continue;
    }
    const begun = performance.now();
    try {
      await section.run(bench);
    } catch (error) {
      // The other sections' results are still useful.
      bench.broke(reasonOf(error));
      killAll();
    }
    bench.took((performance.now() - begun) / 1000);
  }
  say(`${tookLine(bench.results.took)}\n`);
  const after = machineTicks();
  const stolen = (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
  process.off('exit', close);
  process.off('unhandledRejection', broke);
  bench.close();
  return { version: 1, madeAt, profile: bench.profile, machine: thisMachine(), stolen, ...bench.results };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** How often what is worse is measured once more. */
const AGAIN = 2;

/**
 * Whether anything is worse in this run and in each that is measured once more; `perhaps` if other programs keep the
 * machine busy. Sections that were not requested do not count.
 */
async function isWorse(
  { ratios }: Baseline,
  run: Run,
  wanted: readonly string[],
  measured: (sections: readonly string[]) => Promise<Run>,
): Promise<'no' | 'yes' | 'perhaps'> {
  const asked = ratios.filter(({ id }) => wanted.some((section) => id.startsWith(`${section}.`)));
  let found = compare(asked, run.ratios);
  for (let again = 0; ; again++) {
    for (const line of comparisonLines(asked.length, found)) say(`${line}\n`);
    if (found.worse.length === 0) return 'no';
    if (again === AGAIN) return 'yes';
    if (!(await isCalm([SERVER_CORE, LOAD_CORE]))) {
      say('other programs keep the machine busy: this does not decide\n');
      return 'perhaps';
    }
    const sections = [...new Set(found.worse.map(({ now }) => now.section))];
    say(`once more: ${sections.join(', ')}\n`);
    found = worseAgain(found, compare(asked, (await measured(sections)).ratios));
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const usage = error instanceof UsageError;
    process.stderr.write(`bench: ${usage ? error.message : reasonOf(error)}\n`);
    process.exit(usage ? 2 : 1);
  },
);

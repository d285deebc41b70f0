// `npm run bench [SECTION …]`: runs the sections, prints what they find, writes JSON and a report, compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Bench, type Section } from './bench.js';
import { compare } from './compare.js';
import { buildLoad } from './load.js';
import { machineTicks, thisMachine } from './machine.js';
import { installPeers } from './peers.js';
import { pinSelf } from './process.js';
import { type Run, writeReport } from './report.js';
import { delay } from './sections/delay.js';
import { detection } from './sections/detection.js';
import { fanOut } from './sections/fan-out.js';
import { memory } from './sections/memory.js';
import { rest } from './sections/rest.js';
import { scale } from './sections/scale.js';
import { store } from './sections/store.js';

const SECTIONS: readonly Section[] = [rest, fanOut, delay, detection, store, scale, memory];
/** What CI has three minutes for. */
const SHORT = ['rest', 'fan-out', 'delay', 'detection', 'store'];
const HELP = `npm run bench -- [SECTION …] [--profile short|full] [--json FILE] [--report FILE.md] [--compare BASELINE.json] [--install-peers]

${SECTIONS.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join('\n')}

Without names: all sections, in the short profile ${SHORT.join(', ')}.
`;

const say = (text: string): void => void process.stdout.write(text);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      profile: { type: 'string', default: 'short' },
      json: { type: 'string' },
      report: { type: 'string' },
      compare: { type: 'string' },
      'install-peers': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { profile } = values;
  const unknown = positionals.filter((name) => !SECTIONS.some((section) => section.name === name));
  if (values.help || unknown.length > 0 || (profile !== 'short' && profile !== 'full')) {
    say(HELP);
    return values.help ? 0 : 2;
  }
  if (values['install-peers']) installPeers();
  const wanted = positionals.length > 0 ? positionals : profile === 'short' ? SHORT : SECTIONS.map(({ name }) => name);
  const run = await measure(new Bench(profile, say), wanted);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(run, null, 2)}\n`);
  if (values.report !== undefined) writeReport(values.report, run);
  return values.compare === undefined ? 0 : judge(values.compare, run);
}

async function measure(bench: Bench, wanted: readonly string[]): Promise<Run> {
  process.on('exit', () => bench.close());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  const canLoad = buildLoad(bench.folder);
  if (!pinSelf()) say('taskset or a second core is missing: servers and load share what there is\n');
  const before = machineTicks();
  for (const section of SECTIONS) {
    if (!wanted.includes(section.name)) continue;
    bench.section = section.name;
    say(`${section.name}: ${section.about}\n`);
    if (section.underLoad && !canLoad) bench.skip(section.about, 'its load programs need gcc');
    else await section.run(bench);
  }
  const after = machineTicks();
  const stolen = (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
  return { version: 1, profile: bench.profile, machine: thisMachine(), stolen, ...bench.results };
}

function judge(file: string, run: Run): number {
  const { worse, missing } = compare((JSON.parse(readFileSync(file, 'utf8')) as Run).ratios, run.ratios);
  for (const id of missing) say(`not measured this time: ${id}\n`);
  for (const { now, before, least } of worse)
    say(
      `WORSE ${now.id}: ${now.value.toFixed(2)} of ${now.control}; the baseline had ${before.value.toFixed(2)}, at least ${least.toFixed(2)} is asked\n`,
    );
  say(worse.length === 0 ? 'no ratio got worse than its threshold\n' : `${worse.length} ratios got worse\n`);
  return worse.length === 0 ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);

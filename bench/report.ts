// The report: Markdown with the machine, the ratios, the figures and the plots beside it; and the JSON that --compare
// reads.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Figure, format, type Profile, type Results, tookLine } from './bench.js';
import type { Machine } from './machine.js';
import { svgOf, svgOfBars } from './svg.js';

export interface Run extends Results {
  version: 1;
  /** When it began. */
  madeAt: string;
  /** Number of runs it is the median of, if several. */
  runs?: number;
  profile: Profile;
  machine: Machine;
  /** Share of the machine's time that other guests of its host took during the run. */
  stolen: number;
}

export function writeReport(file: string, run: Run): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  const drawn = ({ id, title }: { id: string; title: string }, svg: string): string => {
    const name = `${basename(file, '.md')}-${id}.svg`;
    writeFileSync(join(folder, name), svg);
    return `![${title}](${name})`;
  };
  const bars = run.bars.map((each) => drawn(each, svgOfBars(each)));
  const plots = run.plots.map((each) => drawn(each, svgOf(each)));
  writeFileSync(
    file,
    [
      ...head(run),
      ...ratios(run),
      ...pictures('Side by side', bars),
      ...pictures('Growth', plots),
      ...figures(run),
      ...skipped(run),
      '',
    ].join('\n'),
  );
}

function head({ profile, machine, stolen, runs, madeAt, took }: Run): string[] {
  const { cpu, cores, memoryGiB, node, kernel } = machine;
  const several = runs !== undefined && runs > 1;
  return [
    '# Bench',
    '',
    `Made on ${madeAt.slice(0, 10)} by ${several ? `${runs} runs of ` : ''}\`npm run bench -- --profile ${profile}\`${several ? ' (medians of what several measured)' : ''} on ${cores} cores of ${cpu}, ${memoryGiB} GiB, Linux ${kernel}, Node ${node}; ${(stolen * 100).toFixed(0)} % of the machine's time went to other guests of its host.`,
    'Servers ran on one core, load on another; for delays and latencies under changes a server may use both. Ratios are medians of rounds in which both sides took turns, per second of the server process’s own CPU time; only they carry over to other machines.',
    ...(took.length === 0 ? [] : [`The sections ${tookLine(took)}.`]),
    '',
  ];
}

function ratios({ ratios }: Run): string[] {
  const rows = ratios.map(({ name, control, value, target }) => {
    const goal = target === undefined ? '' : `≥ ${Number(target.toFixed(2))}${value >= target ? '' : ' **missed**'}`;
    return `| ${name} | ${control} | ${value.toFixed(2)} | ${goal} |`;
  });
  return ['## Ratios', '', '| what | to | ratio | target |', '| --- | --- | ---: | --- |', ...rows, ''];
}

function pictures(title: string, images: readonly string[]): string[] {
  return images.length === 0 ? [] : [`## ${title}`, '', ...images.flatMap((image) => [image, ''])];
}

function figures({ figures }: Run): string[] {
  const bySection = new Map<string, Figure[]>();
  for (const figure of figures) bySection.set(figure.section, [...(bySection.get(figure.section) ?? []), figure]);
  const lines = ['## Figures', '', 'Of this machine in this hour.', ''];
  for (const [section, list] of bySection) {
    lines.push(`### ${section}`, '', '| what | figure | unit | target |', '| --- | ---: | --- | --- |');
    for (const { name, value, unit, target } of list) {
      const goal = target === undefined ? '' : `< ${format(target)}${value < target ? '' : ' **missed**'}`;
      lines.push(`| ${name} | ${format(value)} | ${unit} | ${goal} |`);
    }
    lines.push('');
  }
  return lines;
}

function skipped({ skipped, broken }: Run): string[] {
  const lines = [
    ...broken.map(({ section, why }) => `- ${section} broke off: ${why.split('\n', 1)[0]}`),
    ...skipped.map(({ section, what, why }) => `- ${section}: ${what}: ${why}`),
  ];
  return lines.length === 0 ? [] : ['## Skipped', '', ...lines, ''];
}

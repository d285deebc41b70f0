// The context and results of a section: figures (absolute, never judged), ratios to a control of the same run (judged
// by --compare), plots, and what could not be measured.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryFolder } from './disk.js';
import { killAll } from './process.js';
import { upperExponent } from './statistics.js';

export type Profile = 'short' | 'full';

export interface Figure {
  section: string;
  name: string;
  value: number;
  unit: string;
  /** Its limit on a quiet machine, if there is one. Shown, never judged. */
  target?: number;
}

/** More is better, always. */
export interface Ratio {
  section: string;
  /** Stable name, by which --compare matches. */
  id: string;
  name: string;
  control: string;
  value: number;
  /** Its target, if there is one. */
  target?: number;
  /** Fraction of its value that it may lose at least before --compare fails, where its section knows more than a few runs show. */
  tolerance?: number;
  /**
   * False where it is only shown: how far a control comes, to another; a figure of one machine to a number; and what waits
   * for the machine's memory while its control computes, which the host's other guests decide.
   */
  judged?: false;
}

export interface Point {
  x: number;
  y: number;
}

export interface Plot {
  id: string;
  title: string;
  x: string;
  y: string;
  series: { name: string; points: Point[]; exponent: number }[];
}

/** Values of several servers, shown side by side. */
export interface Bars {
  id: string;
  title: string;
  unit: string;
  bars: { name: string; value: number; own: boolean; control?: boolean }[];
}

export interface Skipped {
  section: string;
  what: string;
  why: string;
}

export interface Results {
  figures: Figure[];
  ratios: Ratio[];
  plots: Plot[];
  bars: Bars[];
  skipped: Skipped[];
  /** Additional notes: sizes, mostly. */
  notes: { section: string; text: string }[];
  /** Sections that failed, with their findings until then. */
  broken: Broken[];
  /** How long each section took. */
  took: { section: string; seconds: number }[];
}

export interface Broken {
  section: string;
  why: string;
}

export class Bench {
  readonly profile: Profile;
  /** Temporary: gone when the bench ends. */
  readonly folder: string;
  readonly results: Results = {
    figures: [],
    ratios: [],
    plots: [],
    bars: [],
    skipped: [],
    notes: [],
    broken: [],
    took: [],
  };
  section = '';
  /** Recorded polls, where a file of them was named. */
  recording: string | undefined;
  /** Why the compiled load programs are not available, if so. */
  noLoad: string | undefined;
  #memory: string | undefined;
  readonly #write: (text: string) => void;

  constructor(profile: Profile, write: (text: string) => void) {
    this.profile = profile;
    this.folder = mkdtempSync(join(tmpdir(), 'overround-bench-'));
    this.#write = write;
  }

  /** As `folder`, in memory; undefined if this machine has no such place. */
  get memory(): string | undefined {
    const folder = memoryFolder();
    if (folder !== undefined) this.#memory ??= mkdtempSync(join(folder, 'overround-bench-'));
    return this.#memory;
  }

  get full(): boolean {
    return this.profile === 'full';
  }

  figure(name: string, value: number, unit: string, target?: number): void {
    const figure: Figure = { section: this.section, name, value, unit };
    if (target !== undefined) figure.target = target;
    this.results.figures.push(figure);
    const goal = target === undefined ? '' : ` (target under ${target}${value < target ? '' : ': missed'})`;
    this.#write(`  ${name}: ${format(value)} ${unit}${goal}\n`);
  }

  ratio(
    id: string,
    name: string,
    control: string,
    value: number,
    { target, tolerance, judged }: Partial<Pick<Ratio, 'target' | 'tolerance' | 'judged'>> = {},
  ): void {
    // The subtracted part exceeded the whole: the machine was too busy for this one.
    if (!(value > 0 && Number.isFinite(value))) {
      this.skip(name, `no sound figure against ${control} in this run`);
      return;
    }
    const ratio: Ratio = { section: this.section, id: `${this.section}.${id}`, name, control, value };
    if (tolerance !== undefined) ratio.tolerance = tolerance;
    if (target !== undefined) ratio.target = target;
    if (judged !== undefined) ratio.judged = judged;
    this.results.ratios.push(ratio);
    const goal = target === undefined ? '' : ` (target ${target}${value >= target ? '' : ': missed'})`;
    this.#write(`  ${name}: ${value.toFixed(2)} of ${control}${goal}\n`);
  }

  plot(plot: Plot): void {
    this.results.plots.push(plot);
    for (const { name, points, exponent } of plot.series)
      if (Number.isFinite(exponent))
        this.#write(`  ${plot.title}, ${name}: grows with ${plot.x} to the power ${exponentsOf(points, exponent)}\n`);
  }

  bars(bars: Bars): void {
    this.results.bars.push(bars);
  }

  skip(what: string, why: string): void {
    this.results.skipped.push({ section: this.section, what, why });
    this.#write(`  skipped: ${what}: ${why}\n`);
  }

  broke(why: string): void {
    this.results.broken.push({ section: this.section, why });
    this.#write(`BROKEN ${this.section}: ${why}\n`);
  }

  took(seconds: number): void {
    this.results.took.push({ section: this.section, seconds });
  }

  say(text: string): void {
    this.results.notes.push({ section: this.section, text: text.trim() });
    this.#write(`${text}\n`);
  }

  close(): void {
    killAll();
    rmSync(this.folder, { recursive: true, force: true });
    if (this.#memory !== undefined) rmSync(this.#memory, { recursive: true, force: true });
  }
}

export interface Section {
  name: string;
  about: string;
  /** True if it needs the compiled load programs. */
  underLoad: boolean;
  run(bench: Bench): Promise<void>;
}

/** A section's run: its parts, one after the other. */
export const inTurn =
  (...parts: readonly ((bench: Bench) => Promise<void> | void)[]): Section['run'] =>
  async (bench) => {
    for (const part of parts) await part(bench);
  };

/** One line: how long each section took, and the total. */
export function tookLine(took: Results['took']): string {
  const all = took.reduce((sum, { seconds }) => sum + seconds, 0);
  const each = took.map(({ section, seconds }) => `${section} ${seconds.toFixed(0)} s`);
  return `took ${all.toFixed(0)} s: ${each.join(', ')}`;
}

/** The fitted exponent of a series, and that of its larger half if there are enough points. */
export function exponentsOf(points: Plot['series'][number]['points'], exponent: number): string {
  const upper = upperExponent(points);
  return Number.isFinite(upper) ? `${exponent.toFixed(2)} (larger half ${upper.toFixed(2)})` : exponent.toFixed(2);
}

export function format(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en-US');
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toPrecision(3);
}

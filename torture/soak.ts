// `--soak`: the program with its simulated market, as `npm start` starts it, left alone for two hours. Half an hour after
// the start its log, journals and caches are full; what it uses then is what it uses from then on.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Options } from './options.js';
import { Program } from './program.js';
import { SHIM, SystemFaults } from './shim.js';

const MIB = 2 ** 20;
const MINUTE_MS = 60_000;
const READ_EVERY_MS = 15_000;
/** The compared times, and around them the time over which memory is averaged: collectors make it rise and fall. */
const COMPARED_MIN = { from: 30, to: 120, around: 5 };
/** Allowed growth between them. */
const GROWTH = { share: 0.15, bytes: 32 * MIB };

interface Reading {
  minute: number;
  pss: number;
  anonymous: number;
}

/**
 * The program's wall clock runs `accelerate` times as fast: games, the log's retention and the books' polls follow it.
 * Returns the exit code.
 */
export async function soak({ accelerate, report, seed }: Options, say: (text: string) => void): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'overround-soak-'));
  const clock = accelerate === 1 ? null : fastClock(accelerate, folder);
  const findings: string[] = [];
  const program = await Program.make({
    dataDir: join(folder, 'data'),
    fronts: 0,
    base: ['--feed', `sim:seed=${seed}`],
    env: clock?.env ?? {},
    complain: (line) => findings.push(line),
  });
  const readings: Reading[] = [];
  try {
    await program.start();
    const begunMs = performance.now();
    while (minuteOf(begunMs, accelerate) < COMPARED_MIN.to + COMPARED_MIN.around) {
      await wait(READ_EVERY_MS / accelerate);
      if (!program.running) throw new Error('the program ended by itself');
      const { pss, anonymous } = program.measure();
      readings.push({ minute: minuteOf(begunMs, accelerate), pss, anonymous });
      if (readings.length % 20 === 0) say(lineOf(readings.at(-1)!));
    }
    await program.terminate();
  } finally {
    await program.kill();
    clock?.close();
    rmSync(folder, { recursive: true, force: true });
  }
  for (const what of ['pss', 'anonymous'] as const) {
    const [from, to] = [COMPARED_MIN.from, COMPARED_MIN.to].map((minute) => meanAround(readings, minute, what));
    const found = `${what}: ${mib(from!)} MiB at minute ${COMPARED_MIN.from}, ${mib(to!)} at minute ${COMPARED_MIN.to}`;
    say(found);
    if (to! > from! * (1 + GROWTH.share) + GROWTH.bytes) findings.push(`memory grows: ${found}`);
  }
  for (const finding of findings) say(finding);
  if (report !== undefined) writeFileSync(report, `${JSON.stringify({ accelerate, seed, findings, readings })}\n`);
  return findings.length === 0 ? 0 : 1;
}

/** Throws an Error if the clock cannot be set here. */
function fastClock(accelerate: number, folder: string): { env: Readonly<Record<string, string>>; close(): void } {
  const system = SystemFaults.build(SHIM, folder);
  if (system === null) throw new Error('--accelerate needs Linux and a C compiler');
  let ahead = 0;
  const timer = setInterval(() => system.set('clockMs', 1_000 * ++ahead), 1_000 / (accelerate - 1));
  return {
    env: system.env,
    close: () => {
      clearInterval(timer);
      system.close();
    },
  };
}

function minuteOf(begunMs: number, accelerate: number): number {
  return ((performance.now() - begunMs) * accelerate) / MINUTE_MS;
}

function meanAround(readings: readonly Reading[], minute: number, what: 'pss' | 'anonymous'): number {
  const near = readings.filter((each) => Math.abs(each.minute - minute) <= COMPARED_MIN.around);
  return near.reduce((sum, each) => sum + each[what], 0) / near.length;
}

function lineOf({ minute, pss, anonymous }: Reading): string {
  return `${minute.toFixed(1).padStart(7)} min  ${mib(pss)} MiB, of which anonymous ${mib(anonymous)}`;
}

function mib(bytes: number): number {
  return Math.round(bytes / MIB);
}

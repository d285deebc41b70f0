// What an exchange's ladders cost that nobody asked for: CPU time of changes with and without them, in turns.
import { fileURLToPath } from 'node:url';
import type { Section } from '../bench.js';
import { dataFolder } from '../overround.js';
import { SERVER_CORE, start } from '../process.js';
import { median, pairedRatio } from '../statistics.js';

const PROGRAM = fileURLToPath(new URL('../ladder-process.js', import.meta.url));
const TURNS = { short: 300, full: 2_000 } as const;
const CHANGES_PER_SECOND = 5_000;
/** Percent of a core at that rate. */
const TARGET = 2;

export const depth: Section = {
  name: 'depth',
  about: 'ladders of exchanges that nobody asked for, five levels a side',
  underLoad: false,
  run: async (bench) => {
    const turns = TURNS[bench.full ? 'full' : 'short'];
    const child = start(process.execPath, [PROGRAM, dataFolder(bench.folder, 'depth'), String(turns)], SERVER_CORE);
    const cpu = JSON.parse(await child.line()) as { with: number[]; without: number[] };
    await child.stop();
    const share = (us: number): number => (100 * us * CHANGES_PER_SECOND) / 1e6;
    bench.figure('CPU of a change, with ladders', median(cpu.with), 'µs');
    bench.figure('CPU of a change, without', median(cpu.without), 'µs');
    const more = median(cpu.with.map((us, turn) => us - cpu.without[turn]!));
    bench.figure('CPU of one core that ladders take at 5,000 changes/s', share(more), '%', TARGET);
    const value = pairedRatio(cpu.without, cpu.with);
    bench.ratio('unasked', 'changes with ladders, CPU', 'the same changes without', value);
  },
};

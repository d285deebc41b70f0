// Detection and the devig solvers, in this process: pure code, no server.
import { Bench as Tinybench } from 'tinybench';
import { DEVIG_METHODS } from '../../src/base/model/devig-method.js';
import { devig } from '../../src/detection/maths/devig.js';
import type { Bars, Bench, Section } from '../bench.js';
import {
  benchDetection,
  benchKinds,
  benchLimits,
  type DetectionResult,
  limitLine,
  standingLine,
} from '../detection.js';

export const detection: Section = {
  name: 'detection',
  about: 'markets evaluated again a second, against plain objects, by shape and by kind; devig solvers',
  underLoad: false,
  run: async (bench) => {
    benchDetection(bench.full ? 250 : 80, bench.full, ({ name, ours, plain, ratio, cachedRatio }) => {
      bench.figure(name, ours, 'markets/s');
      bench.figure(`${name}: plain objects`, plain, 'markets/s');
      ratios(bench, name.replace(/\W+/g, '-'), name, { ratio, cachedRatio });
    });
    benchLimits(bench.full ? 250 : 80, (limit) => {
      const { id, name, cached, read, ratio, made } = limit;
      bench.say(`  ${limitLine(limit)}`);
      bench.figure(`${name}: 20 events`, cached, 'markets/s');
      bench.figure(`${name}: rows read, nothing evaluated`, read, 'changes/s');
      bench.ratio(id, name, "reading the book's rows alone", ratio, { judged: false });
      if (made === null) return;
      bench.figure(`${name}: rows read, as many items and ids made, nothing evaluated`, made.rate, 'changes/s');
      bench.ratio(`${id}-made`, name, 'as many items and ids alone', made.ratio, { judged: false });
    });
    kinds(bench);
    await solvers(bench);
  },
};

/** Of many markets, which the host's other guests decide with their use of its caches, and of few. */
function ratios(
  bench: Bench,
  id: string,
  name: string,
  { ratio, cachedRatio }: Pick<DetectionResult, 'ratio' | 'cachedRatio'>,
): void {
  bench.ratio(id, name, 'plain objects', ratio, { judged: false });
  bench.ratio(`${id}-cached`, `${name}, 20 events`, 'plain objects', cachedRatio);
}

function kinds(bench: Bench): void {
  const bars: Bars[] = [];
  benchKinds(
    bench.full ? { rounds: 5, roundMs: 250, warmMs: 300 } : { rounds: 3, roundMs: 30, warmMs: 60 },
    (standing) => {
      bench.say(`  ${standingLine(standing)}`);
      const { id, market } = standing;
      const title = `${market}, by the kind looked for`;
      bars.push({ id: `detection-${id}`, title, unit: 'markets/s', bars: [] });
    },
    ({ market }, { kind, id, ours, plain, comparable, ...found }) => {
      const name = `${market}, looking for ${kind}${comparable ? '' : ' (part of each)'}`;
      bench.figure(name, ours, 'markets/s');
      bench.figure(`${name}: plain objects`, plain, 'markets/s');
      if (comparable) ratios(bench, id, name, found);
      bars.at(-1)!.bars.push({ name: kind, value: ours, own: true });
      bars.at(-1)!.bars.push({ name: `${kind}, plain`, value: plain, own: false, control: true });
    },
  );
  for (const each of bars) bench.bars(each);
}

async function solvers(bench: Bench): Promise<void> {
  const prices = [
    ['two-way', [1 / 1.91, 1 / 1.99]],
    ['three-way', [1 / 2.4, 1 / 3.3, 1 / 3.05]],
  ] as const;
  const suite = new Tinybench({ time: bench.full ? 500 : 80, warmupTime: bench.full ? 50 : 20 });
  const out = new Float64Array(3);
  const many = 1_000;
  for (const [name, implied] of prices)
    for (const method of DEVIG_METHODS) {
      const given = Float64Array.from(implied);
      suite.add(`devig ${method}, ${name}`, () => {
        for (let i = 0; i < many; i++) devig(method, given, given.length, out);
      });
    }
  await suite.run();
  const rates = new Map<string, number>();
  for (const { name, result } of suite.tasks) {
    const rate = 'throughput' in result ? result.throughput.p50 * many : Number.NaN;
    rates.set(name, rate);
    bench.figure(name, rate, 'markets/s');
  }
  for (const [kind] of prices) {
    const plain = rates.get(`devig multiplicative, ${kind}`)!;
    for (const method of DEVIG_METHODS)
      if (method !== 'multiplicative')
        bench.ratio(
          `devig-${method}-${kind}`,
          `devig ${method}, ${kind}`,
          'multiplicative',
          rates.get(`devig ${method}, ${kind}`)! / plain,
          // Solvers run one after the other, each in a moment of its own.
          { tolerance: 0.6 },
        );
  }
}

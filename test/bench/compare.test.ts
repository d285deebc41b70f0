// When --compare fails, and how the report's numbers are computed.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Baseline, type BaselineRatio, baselineOf, keepingOthers, readBaseline } from '../../bench/baseline.js';
import { type Ratio, tookLine } from '../../bench/bench.js';
import { compare, comparisonLines, worseAgain } from '../../bench/compare.js';
import { mergeRuns } from '../../bench/merge.js';
import type { Run } from '../../bench/report.js';
import { alternate, fittedExponent, median, pairedRatio } from '../../bench/statistics.js';
import { svgOf, svgOfBars } from '../../bench/svg.js';

const ratio = (id: string, value: number, tolerance = 0.25): Ratio & BaselineRatio => ({
  section: 's',
  id,
  name: id,
  control: 'c',
  value,
  tolerance,
});

test('a ratio that fell by more than its tolerance fails, one that fell by less or rose does not', () => {
  const before = [ratio('lost', 1), ratio('kept', 1), ratio('gained', 1)];
  const { worse, missing } = compare(before, [ratio('lost', 0.74), ratio('kept', 0.76), ratio('gained', 3)]);
  assert.deepEqual(
    worse.map(({ now }) => now.id),
    ['lost'],
  );
  assert.deepEqual(missing, []);
});

test('the tolerance is the baseline’s, a ratio that is not a number fails, and one that was not measured is only named', () => {
  const before = [ratio('wide', 1, 0.6), ratio('broken', 1), ratio('skipped', 1)];
  const { worse, missing } = compare(before, [ratio('wide', 0.5, 0), ratio('broken', Number.NaN)]);
  assert.deepEqual(
    worse.map(({ now }) => now.id),
    ['broken'],
  );
  assert.deepEqual(missing, ['skipped']);
});

test('a ratio that the baseline lacks has not become worse, however bad it is', () => {
  const { worse, missing } = compare([ratio('known', 1)], [ratio('known', 1), ratio('new', 0.001)]);
  assert.deepEqual({ worse, missing }, { worse: [], missing: [] });
});

test('each ratio that became worse has a line with its target; all missing ones share one', () => {
  const before = [ratio('lost', 1), ratio('kept', 2), ratio('a', 1), ratio('b', 1)];
  const lines = comparisonLines(before.length, compare(before, [ratio('lost', 0.5), ratio('kept', 2)]));
  assert.deepEqual(lines, [
    'WORSE lost: 0.50 of c; the baseline has 1.00, at least 0.75 is asked',
    'not measured this time (2): a, b',
    'compared 2 of 4 ratios: 1 got worse',
  ]);
});

const run = (...ratios: Ratio[]) => ({ profile: 'short' as const, ratios });

test('a baseline is the median of its runs, and every one of them passes when compared with it', () => {
  const runs = [
    run(ratio('steady', 1), ratio('wild', 4, 0.5)),
    run(ratio('steady', 0.9), ratio('wild', 1.1, 0.5)),
    run(ratio('steady', 1.1), ratio('wild', 3, 0.5)),
  ];
  const baseline = baselineOf(runs);
  assert.deepEqual(baseline.ratios, [
    { id: 'steady', value: 1, tolerance: 0.5 },
    { id: 'wild', value: 3, tolerance: 0.9 },
  ] satisfies BaselineRatio[]);
  for (const { ratios } of runs) assert.deepEqual(compare(baseline.ratios, ratios).worse, []);
});

test('of five runs, each ratio may lose twice what it lost in the worst, three tenths, and what its section says', () => {
  const wild = [2, 1.5, 2.5, 2, 3].map((value) =>
    run(ratio('steady', 1 - value / 100, 0.1), ratio('wild', value, 0.1), ratio('delay', value, 0.8)),
  );
  assert.deepEqual(baselineOf(wild).ratios, [
    { id: 'steady', value: 0.98, tolerance: 0.3 },
    { id: 'wild', value: 2, tolerance: 0.5 },
    { id: 'delay', value: 2, tolerance: 0.8 },
  ] satisfies BaselineRatio[]);
});

test('a baseline knows its processor, if its runs were all made on the same', () => {
  const on = (cpu: string) => ({ ...run(ratio('a', 1)), machine: { cpu } });
  assert.equal(baselineOf([on('x'), on('x')]).cpu, 'x');
  assert.equal(baselineOf([on('x'), on('y')]).cpu, undefined);
});

test('a baseline of some sections keeps what an earlier one of the same machine says of the others', () => {
  const of = (cpu: string | undefined, ...ids: string[]): Baseline => ({
    version: 1,
    profile: 'short',
    runs: 5,
    ...(cpu === undefined ? {} : { cpu }),
    ratios: ids.map((id) => ({ id, value: 1, tolerance: 0.2 })),
  });
  const ids = (earlier: Baseline | undefined) =>
    keepingOthers(of('c', 'rest.new'), earlier, ['rest']).ratios.map(({ id }) => id);
  assert.deepEqual(ids(of('c', 'rest.old', 'restart.a', 'joins.b')), ['restart.a', 'joins.b', 'rest.new']);
  assert.deepEqual(ids(of('another', 'joins.b')), ['rest.new']);
  assert.deepEqual(ids(of(undefined, 'joins.b')), ['rest.new']);
  assert.deepEqual(ids(undefined), ['rest.new']);
});

test('only what is worse in each of several runs is, with the figures of the last', () => {
  const before = [ratio('once', 1), ratio('twice', 1), ratio('always', 1), ratio('gone', 1), ratio('later', 1)];
  const all = ['once', 'twice', 'always', 'gone'];
  const runs = [
    [...all.map((id) => ratio(id, 0.1)), ratio('later', 1)],
    [ratio('once', 1), ratio('twice', 0.2), ratio('always', 0.2), ratio('later', 0.1)],
    [ratio('once', 0.1), ratio('twice', 1), ratio('always', 0.3), ratio('later', 0.1)],
  ];
  const found = runs.map((ratios) => compare(before, ratios)).reduce(worseAgain);
  assert.deepEqual(
    found.worse.map(({ now }) => [now.id, now.value]),
    [['always', 0.3]],
  );
});

test('a baseline leaves out ratios that are only shown and those that one of its runs lacks, and is of one profile', () => {
  const limit = { ...ratio('limit', 1), judged: false as const };
  const baseline = baselineOf([run(ratio('both', 1), limit, ratio('one', 1)), run(ratio('both', 1), limit)]);
  assert.deepEqual(
    baseline.ratios.map(({ id }) => id),
    ['both'],
  );
  assert.throws(() => baselineOf([run(), { profile: 'full', ratios: [] }]), /different profiles/);
  assert.throws(() => baselineOf([]), /at least one run/);
});

test('the committed baseline is valid, made of several short runs, and has only what compare needs', () => {
  // Compiled, this file lies one folder deeper than the sources.
  const places = ['../../bench/baseline.json', '../../../bench/baseline.json'];
  const file = places.map((place) => join(import.meta.dirname, place)).find(existsSync);
  const { profile, runs, ratios, cpu: _, ...rest } = readBaseline(readFileSync(file!, 'utf8'));
  assert.deepEqual({ profile, several: runs >= 3, rest }, { profile: 'short', several: true, rest: { version: 1 } });
  assert.ok(ratios.length > 20);
  assert.equal(new Set(ratios.map(({ id }) => id)).size, ratios.length);
  for (const each of ratios) assert.deepEqual(Object.keys(each), ['id', 'value', 'tolerance']);
});

test('an invalid baseline is refused', () => {
  assert.throws(() => readBaseline('{"ratios":[]}'), /no version 1/);
  const broken = { version: 1, ratios: [{ id: 'a', value: 1, tolerance: 1 }] };
  assert.throws(() => readBaseline(JSON.stringify(broken)), /"tolerance":1/);
});

test('a paired ratio compares rounds with each other: a slow hour that hit both sides does not count', () => {
  assert.equal(pairedRatio([50, 5, 50], [100, 10, 100]), 0.5);
  assert.equal(pairedRatio([50, 5, 50], [100]), 0.5, 'rounds only one side has are left out');
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test('contenders take turns, in reverse order every other round', async () => {
  const order: string[] = [];
  const contender = (name: string) => ({ name, run: async () => order.push(name) });
  const figures = await alternate(2, [contender('a'), contender('b')]);
  assert.deepEqual(order, ['a', 'b', 'b', 'a']);
  assert.deepEqual(figures.get('a'), [1, 4]);
});

test('the exponent of a power law is found', () => {
  const points = [1, 10, 100, 1000].map((x) => ({ x, y: 3 * x ** 1.5 }));
  assert.ok(Math.abs(fittedExponent(points) - 1.5) < 1e-9);
});

test('a plot stays inside its frame and escapes its texts', () => {
  const points = [
    { x: 12, y: 0.3 },
    { x: 90_000, y: 7_000 },
  ];
  const alone = { name: 'control', points: points.slice(0, 1), exponent: Number.NaN };
  const svg = svgOf({
    id: 'p',
    title: 'a < b & c',
    x: 'x',
    y: 'y',
    series: [{ name: 's', points, exponent: 1 }, alone],
  });
  assert.match(svg, />control</, 'a single point has no exponent');
  assert.match(svg, /a &lt; b &amp; c/);
  for (const [, x, y] of svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)) {
    assert.ok(Number(x) >= 78 && Number(x) <= 620, `x ${x}`);
    assert.ok(Number(y) >= 44 && Number(y) <= 338, `y ${y}`);
  }
  assert.match(svg, /s – fitted exponent 1.00</);
});

test('bars begin at zero, are proportional and stay inside the picture', () => {
  const bars = [
    { name: 'ours', value: 100_000, own: true },
    { name: 'a < b', value: 25_000, own: false },
    { name: 'c', value: 50_000, own: false, control: true },
  ];
  const svg = svgOfBars({ id: 'b', title: 't', unit: 'u', bars });
  const drawn = [...svg.matchAll(/<rect class="(c0|control|quiet)" x="(\d+)" y="\d+" width="([\d.]+)"/g)];
  assert.deepEqual(
    drawn.map(([, kind]) => kind),
    ['c0', 'quiet', 'control'],
  );
  const [ours, theirs] = drawn.map(([, , , width]) => Number(width));
  assert.ok(Math.abs(ours! / theirs! - 4) < 0.01);
  assert.ok(Number(drawn[0]![2]) + ours! < 640);
  assert.match(svg, /a &lt; b/);
  assert.match(svg, /c \(control\)/);
});

test('how long each section took is one line, and how long all of them', () => {
  const took = [
    { section: 'rest', seconds: 40.4 },
    { section: 'store', seconds: 10.4 },
  ];
  assert.equal(tookLine(took), 'took 51 s: rest 40 s, store 10 s');
});

test('merged runs have every section, and medians of what several of them measured', () => {
  const whole = (name: string, value: number, ratios: Ratio[]): Run => ({
    version: 1,
    madeAt: '2026-01-01T00:00:00.000Z',
    profile: 'short',
    machine: { cpu: 'c', cores: 2, memoryGiB: 1, node: 'v20', kernel: 'k' },
    stolen: 0,
    figures: [{ section: 's', name, value, unit: 'ms' }],
    ratios,
    plots: [],
    bars: [{ id: 'b', title: 't', unit: 'u', bars: [{ name: 'ours', value, own: true }] }],
    skipped: [{ section: 's', what: 'peer', why: 'gone' }],
    notes: [],
    broken: [],
    took: [{ section: 's', seconds: value }],
  });
  const runs = [whole('a', 1, [ratio('r', 1)]), whole('a', 9, [ratio('r', 2)]), whole('b', 5, [ratio('r', 9)])];
  const merged = mergeRuns(runs);
  assert.deepEqual(
    merged.figures.map(({ name, value }) => [name, value]),
    [
      ['a', 5],
      ['b', 5],
    ],
  );
  assert.equal(merged.ratios[0]!.value, 2);
  assert.equal(merged.bars[0]!.bars[0]!.value, 5);
  assert.equal(merged.skipped.length, 1);
  assert.equal(merged.runs, 3);
  assert.deepEqual(merged.took, [{ section: 's', seconds: 5 }]);
  const { took: _, ...older } = runs[0]!;
  assert.deepEqual(mergeRuns([older as Run]).took, [], 'a run that does not say how long it took');
  assert.throws(() => mergeRuns([runs[0]!, { ...runs[1]!, profile: 'full' }]), /different profiles/);
});

// Medians, ratios of paired rounds, and the exponent of a growth.

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value below which a share (0 to 1) of the others lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Median of the ratios of rounds run side by side: disturbances affect both. */
export function pairedRatio(ours: readonly number[], theirs: readonly number[]): number {
  const rounds = Math.min(ours.length, theirs.length);
  return median(ours.slice(0, rounds).map((value, round) => value / theirs[round]!));
}

/** k of y = c·x^k, by least squares on the logarithms. */
export function fittedExponent(points: readonly { x: number; y: number }[]): number {
  const logs = points.filter(({ x, y }) => x > 0 && y > 0).map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const meanX = logs.reduce((sum, { x }) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, { y }) => sum + y, 0) / logs.length;
  let above = 0;
  let below = 0;
  for (const { x, y } of logs) {
    above += (x - meanX) * (y - meanY);
    below += (x - meanX) ** 2;
  }
  return above / below;
}

/**
 * As `fittedExponent`, for the larger half, where a constant cost no longer hides the growing one. NaN if that half has
 * fewer than three points.
 */
export function upperExponent(points: readonly { x: number; y: number }[]): number {
  const rising = [...points].sort((a, b) => a.x - b.x);
  const larger = rising.slice(Math.floor(rising.length / 2));
  return larger.length < 3 ? Number.NaN : fittedExponent(larger);
}

/**
 * Runs every contender once per round, in rotation, so that all have the same conditions; figures by name, one per
 * round.
 */
export async function alternate(
  rounds: number,
  contenders: readonly { name: string; run(): Promise<number> }[],
): Promise<Map<string, number[]>> {
  const figures = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contenders : [...contenders].reverse();
    for (const { name, run } of order) figures.get(name)!.push(await run());
  }
  return figures;
}

// A second reading of what books publish about matches that are scored in sets, written apart from the program's: what a bet
// returns follows from every way in which a match that was broken off could still have ended.

export type Side = 'home' | 'away';
type Score = readonly [home: number, away: number];

export interface SetsMatch {
  sport: 'tennis' | 'volleyball' | 'table_tennis' | 'badminton';
  /** Complete ones. */
  sets: Score[];
  /** The one that was being played. */
  current: Score | null;
  ended: 'normal' | 'retired' | 'disqualified' | 'walkover';
  /** Who goes on. */
  onward: Side;
}

export interface SetsBet {
  about: 'winner' | 'set_winner' | 'sets' | 'sets_lead' | 'units' | 'units_lead' | 'set_units';
  /** Counted from 1. */
  set: number;
  selection: Side | 'over' | 'under';
  line: number;
}

/** What the rules of tennis say at each: void unless finished, one set complete, a point played. */
export const RETIREMENTS: Readonly<Record<string, (match: SetsMatch) => boolean>> = {
  pinnacle: ({ sport, sets }) => sport === 'tennis' && sets.length > 0,
  betfair: ({ sport, sets }) => sport === 'tennis' && sets.length > 0,
  bet365: ({ sport }) => sport !== 'volleyball',
  draftkings: () => false,
  nobody: () => false,
};

/** Sets that win a match, in the formats in which it is played. */
export const FORMATS = { tennis: [2, 3], volleyball: [3], table_tennis: [2, 3, 4], badminton: [2] } as const;

/** What one unit staked at `decimal` returns. */
export function returnOf(match: SetsMatch, bet: SetsBet, book: string, decimal: number): number {
  if (match.ended === 'walkover') return 1;
  if (match.ended === 'normal') return paid(match.sets, bet, decimal);
  if (bet.about === 'winner') {
    if (!RETIREMENTS[book]!(match)) return 1;
    return match.onward === bet.selection ? decimal : 0;
  }
  // Of a set that had not begun nothing is told.
  if (bet.set > match.sets.length + Number(match.current !== null)) return Number.NaN;
  // Won or lost only if every end would have said so.
  const returns = new Set<number>();
  const ends = known.get(match) ?? [...endsOf(match)];
  known.set(match, ends);
  for (const sets of ends) returns.add(paid(sets, bet, decimal));
  return returns.size === 1 ? [...returns][0]! : 1;
}

/** One match is bet on in many ways. */
const known = new WeakMap<SetsMatch, Score[][]>();

/** Of a match that was played out. A set that was not played decides nothing. */
function paid(sets: readonly Score[], { about, set, selection, line }: SetsBet, decimal: number): number {
  const won = sets.reduce(([h, a], [home, away]) => [h + Number(home > away), a + Number(away > home)], [0, 0]);
  const units = sets.reduce(([h, a], [home, away]) => [h + home, a + away], [0, 0]);
  const one = sets[set - 1];
  switch (about) {
    case 'winner':
      return won[0]! > won[1]! === (selection === 'home') ? decimal : 0;
    case 'set_winner':
      return one === undefined ? Number.NaN : one[0] > one[1] === (selection === 'home') ? decimal : 0;
    case 'sets':
      return counted(sets.length, selection, line, decimal);
    case 'sets_lead':
      return ahead(won, selection, line, decimal);
    case 'units':
      return counted(units[0]! + units[1]!, selection, line, decimal);
    case 'units_lead':
      return ahead(units, selection, line, decimal);
    case 'set_units':
      return one === undefined ? Number.NaN : counted(one[0] + one[1], selection, line, decimal);
  }
}

function counted(count: number, selection: string, line: number, decimal: number): number {
  if (count === line) return 1;
  return count > line === (selection === 'over') ? decimal : 0;
}

function ahead([home, away]: readonly number[], selection: string, line: number, decimal: number): number {
  const lead = (selection === 'home' ? home! - away! : away! - home!) + line;
  return lead === 0 ? 1 : lead > 0 ? decimal : 0;
}

/** Final scores of a set, the quickest and closest ones and ones that took very long. */
export function setScores(sport: SetsMatch['sport'], no: number): Score[] {
  const to = sport === 'tennis' ? 6 : sport === 'table_tennis' ? 11 : sport === 'badminton' ? 21 : no === 5 ? 15 : 25;
  const scores: Score[] = [];
  for (let less = 0; less <= to - 2; less++) scores.push([to, less]);
  if (sport === 'tennis') scores.push([7, 5], [7, 6], [90, 88]);
  else if (sport === 'badminton') {
    for (let less = to - 1; less < 29; less++) scores.push([less + 2, less]);
    scores.push([30, 29]);
  } else for (const less of [to - 1, to, to + 1, to + 2, to + 3, 400]) scores.push([less + 2, less]);
  return scores.flatMap(([most, least]): Score[] => [
    [most, least],
    [least, most],
  ]);
}

/** Ways to the end of a match, the extreme ones among them. */
function* endsOf({ sport, sets, current }: SetsMatch): Iterable<Score[]> {
  const begun: Score[][] =
    current === null
      ? [sets]
      : setScores(sport, sets.length + 1)
          .filter(([home, away]) => home >= current[0] && away >= current[1])
          .map((last) => [...sets, last]);
  const won = (list: readonly Score[], side: 0 | 1) => list.filter((score) => score[side] > score[1 - side]!).length;
  const known = Math.max(won(sets, 0), won(sets, 1));
  for (const needed of FORMATS[sport].filter((wins) => wins > known))
    for (const so of begun) {
      const ahead = [won(so, 0), won(so, 1)];
      if (Math.max(...ahead) === needed) {
        yield so;
        continue;
      }
      for (const winner of [0, 1] as const)
        for (let taken = ahead[1 - winner]!; taken < needed; taken++)
          for (const kind of ['quick', 'close', 'long'] as const)
            for (const lost of ['quick', 'close'] as const) {
              const list = [...so];
              for (let i = ahead[1 - winner]!; i < taken; i++)
                list.push(scoreFor(sport, list.length + 1, 1 - winner, lost));
              for (let i = ahead[winner]!; i < needed; i++) list.push(scoreFor(sport, list.length + 1, winner, kind));
              yield list;
            }
    }
}

function scoreFor(sport: SetsMatch['sport'], no: number, winner: number, kind: 'quick' | 'close' | 'long'): Score {
  const own = setScores(sport, no).filter((score) => score[winner]! > score[1 - winner]!);
  return kind === 'quick' ? own[0]! : kind === 'long' ? own.at(-1)! : own.at(-2)!;
}

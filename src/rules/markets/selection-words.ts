// What a selection says that names the sides of its game: one word for one outcome, however it is written (`1X`,
// `Draw or Home`, `home_or_draw`), and the same outcome of a game that is listed the other way round.
import type { NormalQuote } from '../../base/model/normal-message.js';
import { ADVANCED, type MarketRules, SCORE } from './rules.js';

type Side = 'home' | 'away' | 'draw';
type Asked = Pick<MarketRules, 'family' | 'subject' | 'statistic'>;

/**
 * How the outcomes of a market are written: `side` one of the results, `double` two of three, `pair` one after the other,
 * `margin` a side and by how much, `score` two numbers.
 */
type Form = 'side' | 'result' | 'double' | 'pair' | 'margin' | 'score';

const FORMS: Readonly<Record<string, Form>> = {
  double_chance: 'double',
  half_time_full_time: 'pair',
  winning_margin: 'margin',
  [SCORE]: 'score',
  first_to_score: 'side',
  race: 'side',
};

/** Undefined where selections name no side, or it is not known how they do. */
function formOf({ family, subject, statistic }: Asked): Form | undefined {
  if (subject === 'player') return undefined;
  if (family === 'winner') return statistic === ADVANCED ? 'side' : 'result';
  if (family === 'handicap') return 'side';
  return family === 'other' && statistic !== null && Object.hasOwn(FORMS, statistic) ? FORMS[statistic] : undefined;
}

const SIDES: ReadonlyMap<string, Side> = new Map([
  ['home', 'home'],
  ['1', 'home'],
  ['away', 'away'],
  ['2', 'away'],
  ['draw', 'draw'],
  ['x', 'draw'],
  ['tie', 'draw'],
  ['the draw', 'draw'],
]);
const ORDER: readonly Side[] = ['home', 'draw', 'away'];
const COMPACT = /^[12x]{2}$/;
const BETWEEN = /\s+or\s+|_or_|\s+and\s+|\s*[/&,|-]\s*|_/;
const MARGIN =
  /^(home|away)(?:[\s_]+(?:to[\s_]+)?(?:wins?[\s_]+)?by(?:[\s_]+exactly)?)?[\s_]+(\d+)(?:(?:\s*-\s*|[\s_]+to[\s_]+|[\s_])(\d+)|(\+|[\s_]*or[\s_]more|_plus))?(?:[\s_]+[a-z]+)?$/;
const BARE_SCORE = /^(\d+)(\s*[-:_–]\s*)(\d+)$/;
const SIDED_SCORE = /^(home|away|draw)[\s_:-]+(\d+)\s*[-:_–]\s*(\d+)$/;

/**
 * The one word for the outcome: `home_or_draw`, `home_or_away` and `draw_or_away`, `home_draw` (half time, full time),
 * `home_by_1`, `home_by_1_5`, `home_by_6_plus`, `2_1`, `home`. Undefined if the text does not say one in words of sides.
 */
export function outcomeOf(rules: Asked, text: string): string | undefined {
  const form = formOf(rules);
  if (form === undefined) return undefined;
  const words = text.trim().toLowerCase();
  switch (form) {
    case 'side':
      return SIDES.get(words);
    case 'result':
      return SIDES.get(words) ?? doubleOutcome(words);
    case 'double':
      return doubleOutcome(words);
    case 'pair':
      return pairOf(words)?.join('_');
    case 'margin':
      return marginOutcome(words);
    case 'score':
      return scoreOutcome(words);
  }
}

/**
 * The one word for the outcome of a selection whose type may say a side alone: a bare score beside it is the side's, whose
 * number may be first; undefined where the two contradict each other.
 * @param named the name, with sides for the names of teams
 */
export function outcomeBeside(rules: Asked, type: string, name: string, named: string): string | undefined {
  const form = formOf(rules);
  const side = SIDES.get(type);
  if (side === undefined || (form !== 'score' && form !== 'margin')) return outcomeOf(rules, named);
  const words = name.trim().toLowerCase();
  if (form === 'score' && BARE_SCORE.test(words)) return scoreOutcome(`${side} ${words}`);
  const outcome = outcomeOf(rules, named);
  return outcome === undefined || wonBy(outcome) === side ? outcome : undefined;
}

/** Of a score or a margin. */
function wonBy(outcome: string): Side {
  const [first, second] = outcome.split('_');
  if (first === 'home' || first === 'away' || first === 'draw') return first;
  return first === second ? 'draw' : Number(first) > Number(second) ? 'home' : 'away';
}

/** Whether an outcome needs more than a side: where the type does not say it, the name does. */
export function saysMoreThanSide(rules: Asked): boolean {
  const form = formOf(rules);
  return form !== undefined && form !== 'side' && form !== 'result';
}

function pairOf(words: string): [Side, Side] | undefined {
  const parts = COMPACT.test(words) ? [...words] : words.split(BETWEEN);
  if (parts.length !== 2) return undefined;
  const [one, other] = parts.map((part) => (part === 'tie' ? 'draw' : SIDES.get(part)));
  return one === undefined || other === undefined ? undefined : [one, other];
}

/** Two results of three, whichever is named first. */
export function doubleOutcome(words: string): string | undefined {
  const pair = pairOf(words);
  if (pair === undefined || pair[0] === pair[1]) return undefined;
  return ORDER.filter((side) => pair.includes(side)).join('_or_');
}

function marginOutcome(words: string): string | undefined {
  if (words === 'tie' || SIDES.get(words) === 'draw') return 'draw';
  const [, side, from, to, open] = MARGIN.exec(words) ?? [];
  if (side === undefined) return undefined;
  const end = open !== undefined ? '_plus' : to === undefined || Number(to) === Number(from) ? '' : `_${Number(to)}`;
  return `${side}_by_${Number(from)}${end}`;
}

/** Home's number first; beside a side's name the greater number is its own, whichever is first. */
function scoreOutcome(words: string): string | undefined {
  const [, first, , second] = BARE_SCORE.exec(words) ?? [];
  if (first !== undefined) return `${Number(first)}_${Number(second)}`;
  const [, side, one, other] = SIDED_SCORE.exec(words) ?? [];
  if (side === undefined || (side === 'draw') !== (Number(one) === Number(other))) return undefined;
  const [most, least] = [Math.max(Number(one), Number(other)), Math.min(Number(one), Number(other))];
  return side === 'away' ? `${least}_${most}` : `${most}_${least}`;
}

/** Whether outcomeName() may have one for any of these quotes. */
export function namesOutcomes(rules: Asked, quotes: readonly NormalQuote[]): boolean {
  if (saysMoreThanSide(rules)) return true;
  return rules.family === 'winner' && quotes.some(({ 1: selectionType }) => selectionType.includes('_or_'));
}

/** The name of an outcome, by the teams that play: `Arsenal or Draw`; undefined for what is named otherwise. */
export function outcomeName(
  rules: Asked,
  outcome: string,
  { home, away }: { readonly home: string; readonly away: string },
): string | undefined {
  const form = formOf(rules);
  const nameOf = (side: string): string => (side === 'home' ? home : side === 'away' ? away : 'Draw');
  switch (form) {
    case 'result':
    case 'double':
      return doubleOutcome(outcome) === outcome ? outcome.split('_or_').map(nameOf).join(' or ') : undefined;
    case 'pair': {
      const pair = pairOf(outcome);
      return pair?.join('_') === outcome ? pair.map(nameOf).join('/') : undefined;
    }
    case 'margin': {
      if (outcome === 'draw' || marginOutcome(outcome) !== outcome) return undefined;
      const [side, , from, to] = outcome.split('_');
      return `${nameOf(side!)} by ${from}${to === undefined ? '' : to === 'plus' ? '+' : `-${to}`}`;
    }
    case 'score':
      return scoreOutcome(outcome) === outcome ? outcome.replace('_', '-') : undefined;
    case 'side':
    case undefined:
      return undefined;
  }
}

/** A side as a word of its own; who scores a home run is no side. */
const WORD = /(?<![a-z0-9])(?:home|away|1x|x2)(?![a-z0-9])(?![ _-]?runs?(?![a-z]))/gi;
const TURNED: Readonly<Record<string, string>> = { home: 'away', away: 'home', '1x': 'x2', x2: '1x' };

/** A selection of a game that is listed the other way round, by type or name: `home_or_draw` is `draw_or_away` here. */
export function swapSelection(rules: Asked, selection: string): string {
  if (rules.subject === 'player' || rules.family === 'outright') return selection;
  const form = formOf(rules);
  const score = form === 'score' ? BARE_SCORE.exec(selection) : null;
  if (score !== null) return `${score[3]}${score[2]}${score[1]}`;
  const written = form === 'score' || form === 'margin' ? undefined : outcomeOf(rules, selection);
  if (written === undefined) return selection.replace(WORD, turnWord);
  const turned = written.replace(WORD, turnWord);
  return outcomeOf(rules, turned) ?? turned;
}

function turnWord(word: string): string {
  const turned = TURNED[word.toLowerCase()]!;
  if (word === word.toLowerCase()) return turned;
  return word === word.toUpperCase() ? turned.toUpperCase() : `${turned[0]!.toUpperCase()}${turned.slice(1)}`;
}

/** The line of a selection of such a game: a handicap's draw is stated at the home team's line, a team keeps its own. */
export function swapLine({ family }: Asked, selectionType: string, line: number | null): number | null {
  if (line === null || line === 0 || family !== 'handicap') return line;
  return selectionType === 'draw' || selectionType === 'tie' ? -line : line;
}

/** Of a team: what it is called where home and away are the other way round. */
export function swapSide<Name extends string | null>(name: Name): Name | 'home' | 'away' {
  return name === 'home' ? 'away' : name === 'away' ? 'home' : name;
}

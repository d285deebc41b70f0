// How results of a market in play scatter: by what of its part of the game is left, as period, clock and score tell.

import { playedShare } from '../model/game-progress.js';
import { LIMITS } from '../model/limits.js';
import type { EventState } from '../model/state.js';
import { type GamePart, marketPart, modelInPlay, type ResultModel } from './maths/result-model.js';

/** Where a live game stands. */
export interface GameStanding {
  /** Share of regular time that is played, 0-1. */
  played: number;
  /** NaN where nobody tells, as the next. */
  homeScore: number;
  awayScore: number;
}

/** Shares go in steps, so that markets in play share models and a running clock is no news every second. */
const SHARE_STEPS = 60;
/** Least share reckoned with: extra time, fouls and time added on come on top of what the clock says. */
const SHARE_MIN = 3 / SHARE_STEPS;

const MODELS_MAX = LIMITS.liveModels.max;
const models = new Map<ResultModel, Map<string, ResultModel>>();
let modelCount = 0;

/** Undefined before the start, in overtime, and where nobody tells the period. */
export function standingOf({ live, sport, league, state }: EventState): GameStanding | undefined {
  if (!live || state === null) return undefined;
  const played = playedShare(sport, league, state);
  if (played === undefined) return undefined;
  return { played, homeScore: state.home_score ?? Number.NaN, awayScore: state.away_score ?? Number.NaN };
}

/**
 * The model as it is now. The whole game's own where no standing is known, and where that says nothing of this market:
 * statistics of players, goals without a score, the second half's points during the second half.
 */
export function modelNow(
  model: ResultModel,
  market: string,
  team: 'home' | 'away' | null,
  standing: GameStanding | undefined,
): ResultModel {
  if (standing === undefined || model.family === 'wide') return model;
  const part = marketPart(market);
  const played = Math.max(0, Math.min(1, (standing.played - part.from) / part.share));
  const share = Math.max(SHARE_MIN, Math.ceil(SHARE_STEPS * (1 - played) - 1e-3) / SHARE_STEPS);
  const begun = begunIn(model, part, team, standing);
  const key = `${share}|${begun}`;
  let ofModel = models.get(model);
  const known = ofModel?.get(key);
  if (known !== undefined) return known;
  const made = modelInPlay(model, share, begun);
  if (made === undefined) return model;
  if (modelCount >= MODELS_MAX) {
    models.clear();
    modelCount = 0;
    ofModel = undefined;
  }
  if (ofModel === undefined) {
    ofModel = new Map();
    models.set(model, ofModel);
  }
  modelCount++;
  ofModel.set(key, made);
  return made;
}

/** What has been scored in the market's part of the game; NaN where that is not known. */
function begunIn(model: ResultModel, part: GamePart, team: 'home' | 'away' | null, standing: GameStanding): number {
  if (standing.played <= part.from && part.from > 0) return 0;
  // The score of a later part is not told by that of the game.
  if (part.from > 0) return Number.NaN;
  const { homeScore, awayScore } = standing;
  if (model.pair === 'spread') return homeScore - awayScore;
  return team === 'home' ? homeScore : team === 'away' ? awayScore : homeScore + awayScore;
}

// The distribution of results for a market in play: by the remaining share of its part of the game, from period, clock
// and score.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import { playedShare } from '../base/model/game-progress.js';
import { LIMITS } from '../base/model/limits.js';
import type { EventState } from '../base/model/state.js';
import { type GamePart, gamePart } from '../rules/markets/parts.js';
import type { Market } from './market-line.js';
import { modelInPlay, type ResultModel } from './maths/result-model.js';

/** How far a live game has come. */
export interface GameProgress {
  /** Share of regular time that has been played, 0-1. */
  played: number;
  /** NaN if unknown, as is the next. */
  homeScore: number;
  awayScore: number;
}

/**
 * Shares are rounded to steps, so that markets in play share models and a running clock is not a change every second.
 */
const SHARE_STEPS = 60;
/** Minimum remaining share: extra time, fouls and stoppage time are added to what the clock says. */
const SHARE_MIN = 3 / SHARE_STEPS;

const MODELS_MAX = LIMITS.liveModels.max;
const models = new Map<ResultModel, Map<string, ResultModel>>();
let modelCount = 0;

/** Undefined before the start, in overtime, and if the period is unknown. */
export function progressOf({ live, sport, league, state }: EventState): GameProgress | undefined {
  if (!live || state === null) return undefined;
  const played = playedShare(sport, league, state);
  if (played === undefined) return undefined;
  return { played, homeScore: state.home_score ?? Number.NaN, awayScore: state.away_score ?? Number.NaN };
}

/** The market's models in the present state of the game; whether any of them changed. */
export function setModels(market: Market, progress: GameProgress | undefined): boolean {
  const { shape, team, model, pushModel } = market;
  // What counts from the bet on begins level.
  const at = shape.rules.rest && progress !== undefined ? { ...progress, homeScore: 0, awayScore: 0 } : progress;
  const now = (of: ResultModel | undefined) => of && modelNow(of, shape.rules.part, team, at);
  market.model = now(shape.model);
  market.pushModel = shape.pushModel === shape.model ? market.model : now(shape.pushModel);
  return market.model !== model || market.pushModel !== pushModel;
}

/**
 * The model in the present state of the game. The whole game's model if the state is unknown or irrelevant for the
 * market: player statistics, goals without a score, second-half points during the second half.
 */
function modelNow(
  model: ResultModel,
  partName: string,
  team: 'home' | 'away' | null,
  progress: GameProgress | undefined,
): ResultModel {
  if (progress === undefined || model.family === 'wide') return model;
  const part = gamePart(partName);
  const played = Math.max(0, Math.min(1, (progress.played - part.from) / part.share));
  const share = Math.max(SHARE_MIN, Math.ceil(SHARE_STEPS * (1 - played) - 1e-3) / SHARE_STEPS);
  const begun = begunIn(model, part, team, progress);
  const key = `${share}|${begun}`;
  const known = models.get(model)?.get(key);
  if (known !== undefined) return known;
  const made = modelInPlay(model, share, begun);
  if (made === undefined) return model;
  if (modelCount >= MODELS_MAX) {
    models.clear();
    modelCount = 0;
  }
  modelCount++;
  getOrInsert(models, model, () => new Map<string, ResultModel>()).set(key, made);
  return made;
}

/** Points scored in the market's part of the game; NaN if unknown. */
function begunIn(model: ResultModel, part: GamePart, team: 'home' | 'away' | null, progress: GameProgress): number {
  if (progress.played <= part.from && part.from > 0) return 0;
  // The game's score does not include that of a later part.
  if (part.from > 0) return Number.NaN;
  const { homeScore, awayScore } = progress;
  if (model.pair === 'spread') return homeScore - awayScore;
  return team === 'home' ? homeScore : team === 'away' ? awayScore : homeScore + awayScore;
}

// The accounts' bets of a server, with its settings.
import { Bets, forget } from '../accounts/bets/bets.js';
import type { AskHistory } from '../store/clv/queries.js';
import type { ResultsBoard } from '../tables/results.js';
import type { RoleParts, ServerParts } from './server-parts.js';

export function openBets(
  { config, log, replay }: ServerParts,
  { engine, shards }: RoleParts,
  history: AskHistory | undefined,
  results: ResultsBoard,
): Bets {
  if (replay?.again) engine.control.now(forget, null);
  return new Bets({
    engine,
    history,
    hasResult: (event) => results.of(event) !== undefined,
    judges: shards !== undefined,
    recorded: replay !== undefined,
    betDelays: config.betDelays,
    paperMax: config.paperMax,
    onError: (error) => log.error({ err: error }, 'bets could not be judged or graded; it will be tried again'),
  });
}

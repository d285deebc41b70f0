// Every route of the REST and SSE surface.

import type { Route } from '../http/context.js';
import { type AccountDeps, accountRoutes } from './account.js';
import { type AlertDeps, alertRoutes } from './account-alerts.js';
import { type BetDeps, betRoutes } from './account-bets.js';
import { batchRoutes } from './batch.js';
import { bestRoutes, comparisonRoutes } from './best.js';
import { clvRoutes } from './clv.js';
import { costlyHistory, costlyQueue } from './cost.js';
import { dashboardRoutes } from './dashboard.js';
import { deeplinksRoutes } from './deeplinks.js';
import { deltaRoutes } from './delta.js';
import { eventsRoutes } from './events.js';
import { futuresRoutes } from './futures.js';
import { gameStateRoutes } from './game-state.js';
import { closingDayRoutes, historyRoutes } from './history.js';
import { ingestRoutes, unmatchedRoutes } from './ingest.js';
import { executableRoutes, oddsRoutes } from './odds.js';
import { openApiExamples, openApiRoutes } from './openapi.js';
import { opportunityRoutes } from './opportunities.js';
import type { OpportunityDeps } from './opportunities-answer.js';
import { PastAnswers } from './past.js';
import { referenceRoutes } from './reference.js';
import { replayRoutes } from './replay.js';
import { gradeRoutes, type ResultDeps, resultRoutes } from './results.js';
import { backupRoutes, healthRoutes, rootRoutes } from './service.js';
import { splitsRoutes } from './splits.js';
import { type StreamDeps, streamRoutes } from './stream.js';

export function allRoutes(
  deps: ResultDeps & AccountDeps & StreamDeps & OpportunityDeps & AlertDeps & BetDeps,
): Route[] {
  const costly = costlyQueue();
  const askFor = costlyHistory(deps.history, costly);
  const past = new PastAnswers(deps, costly);
  const routes = [
    ...eventsRoutes(deps),
    ...referenceRoutes(deps),
    ...rootRoutes(deps),
    ...healthRoutes(deps),
    ...oddsRoutes(deps, past),
    ...executableRoutes(deps),
    ...bestRoutes(deps, past),
    ...comparisonRoutes(deps, past),
    ...batchRoutes(deps, costly),
    ...deltaRoutes(deps),
    ...historyRoutes(deps, askFor),
    ...closingDayRoutes(deps, askFor),
    ...clvRoutes(deps, askFor),
    ...splitsRoutes(deps),
    ...resultRoutes(deps),
    ...gradeRoutes(deps, askFor),
    ...futuresRoutes(deps),
    ...gameStateRoutes(deps),
    ...deeplinksRoutes(deps),
    ...accountRoutes(deps),
    ...alertRoutes(deps),
    ...betRoutes(deps, costly),
    ...opportunityRoutes(deps, costly),
    ...streamRoutes(deps),
    ...ingestRoutes(deps),
    ...unmatchedRoutes(deps),
    ...replayRoutes(deps),
    ...backupRoutes(deps),
  ];
  return [...routes, ...openApiRoutes(routes, () => openApiExamples(deps.engine)), ...dashboardRoutes()];
}

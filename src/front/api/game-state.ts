// GET /gamestate and GET /gamestate/{sport}.

import { gameStateSports, gameStates } from '../../answers/game-state.js';
import { ApiError } from '../../base/model/errors.js';
import { GameStateBody, GameStateParams, GameStateQuery, GameStateSportsBody } from '../../schema/game-state.js';
import { splitList } from '../../tables/filter/universe.js';
import { type Route, route } from '../http/context.js';
import { CONDITIONAL, sendTaggedObject } from './answer.js';
import type { RouteDeps } from './deps.js';

const COMMON = {
  method: 'GET',
  auth: 'required',
  viewers: 'gamestate',
  right: 'game_state',
  headers: CONDITIONAL,
  tags: ['game state'],
} as const;

export function gameStateRoutes({ engine }: RouteDeps): Route[] {
  const { table, catalogue, clock } = engine;
  const isSport = (id: string): boolean =>
    catalogue.sport(id) !== undefined || table.events.ordered().some((event) => event.sport === id);

  return [
    route({
      ...COMMON,
      path: '/api/v1/gamestate',
      response: GameStateSportsBody,
      summary: 'Sports with games that have a state, and the states by sport and event',
      handler: (context) => {
        const sports = gameStateSports(table);
        const bySport = Object.fromEntries(
          sports.map(({ sport }) => [sport, gameStates(table, { sport, leagues: null, live: undefined }, clock.now())]),
        );
        // No sport is called `sports`; if one were, the list would come first.
        sendTaggedObject(context, clock, { ...bySport, sports });
      },
    }),
    route({
      ...COMMON,
      path: '/api/v1/gamestate/:sport',
      params: GameStateParams,
      query: GameStateQuery,
      response: GameStateBody,
      summary: "A sport's games: score, period, clock, possession",
      handler: (context) => {
        const sport = context.params['sport']!;
        if (!isSport(sport)) throw new ApiError('not_found', `there is no sport ${sport}`);
        const { league, live } = context.query;
        const names = league === undefined ? null : splitList(league);
        const leagues = names?.map((name) => catalogue.leagueOf(name)?.id ?? name) ?? null;
        const unknown = (leagues ?? []).filter(
          (id) => catalogue.league(id) === undefined && !table.events.ordered().some((event) => event.league === id),
        );
        const states = gameStates(table, { sport, leagues, live }, clock.now());
        sendTaggedObject(context, clock, states, { unknown });
      },
    }),
  ];
}

// The reference lists: GET /sports, /leagues, /sportsbooks, /markets (the market types), /teams and /tiers.

import type { Static, TSchema } from 'typebox';
import { bookOwnerOf } from '../../accounts/key-record.js';
import { ReferenceReader, teamReader } from '../../answers/reference.js';
import type { Clock } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { listBody, objectBody } from '../../schema/envelope.js';
import * as shapes from '../../schema/reference.js';
import { type Route, route } from '../http/context.js';
import { sendList, sendObject } from './answer.js';
import type { RouteDeps } from './deps.js';

/** Lists that every caller may see. */
const LIST = { method: 'GET', auth: 'optional', viewers: 'names', tags: ['reference'] } as const;
const WITH_KEY = { ...LIST, auth: 'required' } as const;

export function referenceRoutes({ engine }: RouteDeps): Route[] {
  const { clock } = engine;
  const reader = new ReferenceReader(engine);
  const teams = teamReader(engine);
  const one = <Shape extends TSchema>(
    what: string,
    list: string,
    param: string,
    shape: Shape,
    find: (id: string, account: string | undefined) => Static<Shape> | undefined,
  ): Route =>
    route({
      ...WITH_KEY,
      path: `${list}/:${param}`,
      response: objectBody(shape),
      summary: `One ${what}`,
      handler: (context) => {
        const id = context.params[param]!;
        sendObject(context, clock, found(what, id, find(id, bookOwnerOf(context.key))));
      },
    });
  return [
    route({
      ...WITH_KEY,
      path: '/api/v1/teams',
      query: shapes.TeamsQuery,
      response: listBody(shapes.Team, shapes.Omitted),
      summary: 'Teams and their names',
      handler: (context) => {
        const { items, unknown, omitted } = teams(context.query);
        sendList(context, clock, items, {}, { unknown, ...omittedOf(omitted) });
      },
    }),
    route({
      ...LIST,
      path: '/api/v1/tiers',
      response: listBody(shapes.TierRights),
      summary: 'What each tier may see',
      handler: (context) => sendList(context, clock, reader.tiers()),
    }),
    route({
      ...LIST,
      path: '/api/v1/markets',
      response: listBody(shapes.MarketType, shapes.Omitted),
      summary: 'Market types',
      handler: (context) => {
        const { items, omitted } = reader.marketTypes();
        sendList(context, clock, items, {}, omittedOf(omitted));
      },
    }),
    warningsRoute(clock, reader),
    route({
      ...LIST,
      path: '/api/v1/sportsbooks',
      query: shapes.SportsbooksQuery,
      response: listBody(shapes.Sportsbook),
      summary: 'Sportsbooks with events',
      handler: (context) => sendList(context, clock, reader.books(context.query, bookOwnerOf(context.key))),
    }),
    one('sportsbook', '/api/v1/sportsbooks', 'bookId', shapes.Sportsbook, (id, account) => reader.book(id, account)),
    route({
      ...LIST,
      path: '/api/v1/leagues',
      query: shapes.LeaguesQuery,
      response: listBody(shapes.League),
      summary: 'Leagues with events',
      handler: (context) => {
        const { items, unknown } = reader.leagues(context.query.sport, context.query.include_empty);
        sendList(context, clock, items, {}, { unknown });
      },
    }),
    one('league', '/api/v1/leagues', 'leagueId', shapes.League, (id) => reader.league(id)),
    route({
      ...LIST,
      path: '/api/v1/sports',
      query: shapes.SportsQuery,
      response: listBody(shapes.Sport),
      summary: 'Sports with events',
      handler: (context) => sendList(context, clock, reader.sports(context.query.include_empty)),
    }),
    one('sport', '/api/v1/sports', 'sportId', shapes.Sport, (id) => reader.sport(id)),
  ];
}

function warningsRoute(clock: Clock, reader: ReferenceReader): Route {
  return route({
    ...LIST,
    path: '/api/v1/warnings',
    response: listBody(shapes.WarningMeaning),
    summary: 'What the warnings of opportunities mean',
    handler: (context) => sendList(context, clock, reader.warnings()),
  });
}

function omittedOf(omitted: number): { omitted?: number } {
  return omitted === 0 ? {} : { omitted };
}

/** Throws ApiError not_found if there is none. */
function found<Item>(what: string, id: string, item: Item | undefined): Item {
  if (item === undefined) throw new ApiError('not_found', `there is no ${what} ${id}`);
  return item;
}

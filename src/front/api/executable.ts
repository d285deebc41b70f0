// GET /odds/executable: what a stake on one price would be filled at, by the levels of its ladder.

import { ApiError } from '../../base/model/errors.js';
import { roundDecimal, roundTo } from '../../base/model/price.js';
import { takeStake } from '../../detection/maths/ladder-stakes.js';
import { isPrivateBook } from '../../rules/catalogue/private-book.js';
import { bookAboveTier } from '../../rules/catalogue/tier-refusals.js';
import { objectBody } from '../../schema/envelope.js';
import { Executable, ExecutableQuery } from '../../schema/odds.js';
import { stakeLevels } from '../../tables/stake-levels.js';
import { type Route, route } from '../http/context.js';
import { READS_ODDS } from './answer.js';
import type { RouteDeps } from './deps.js';
import { sendObject } from './envelope.js';
import { viewOf } from './view.js';

export function executableRoutes({ engine }: RouteDeps): Route[] {
  return [
    route({
      ...READS_ODDS,
      path: '/api/v1/odds/executable',
      query: ExecutableQuery,
      response: objectBody(Executable),
      errors: ['not_found', 'tier_restricted'],
      summary: 'What a stake on one price would be filled at',
      tags: ['odds'],
      handler: (context) => {
        const { odds_id, stake } = context.query;
        const { table, universe } = viewOf(engine, context, undefined);
        const slot = table.slotOf(odds_id);
        const book = slot === undefined ? undefined : table.books.name(table.columns.book[slot]!);
        if (slot === undefined || book === undefined || isPrivateBook(book))
          throw new ApiError('not_found', `there is no price ${odds_id}`);
        if (!universe.allows(book)) throw bookAboveTier(engine.catalogue, book, `sportsbook ${book}`);
        const { lay } = table.rulesOf(table.columns.market[slot]!);
        // In backers' stakes on either side, as sizes are.
        const levels = stakeLevels(table, slot, lay).map(({ decimal, net, most }) =>
          lay ? { decimal: decimal / (decimal - 1), net, most: most * (decimal - 1) } : { decimal, net, most },
        );
        const taken = takeStake(levels, stake);
        const filled = taken.stake > 0;
        sendObject(context, engine.clock, {
          odds_id,
          sportsbook: book,
          currency: table.bookRulesOf(book).currency,
          stake,
          odds_decimal_average: filled ? roundDecimal(taken.decimal) : null,
          odds_decimal_worst: filled ? roundDecimal(taken.worst) : null,
          stake_filled: roundTo(taken.stake, 6),
          levels: taken.levels,
        }, {}); // biome-ignore format: one answer
      },
    }),
  ];
}

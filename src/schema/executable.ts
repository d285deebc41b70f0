// What a stake on one price would be filled at.
import type { Static } from 'typebox';
import { numberOrNull, Type } from '../base/model/json-schema.js';

export const ExecutableQuery = Type.Object({
  odds_id: Type.String({ description: 'id of a row' }),
  stake: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1e12,
    examples: [250],
    description: "in the row's currency; of a lay the backers'",
  }),
});

export const Executable = Type.Object(
  {
    odds_id: Type.String({ description: 'as requested' }),
    sportsbook: Type.String({ description: 'sportsbook id' }),
    currency: Type.String({ description: 'ISO 4217 code of the stakes' }),
    stake: Type.Number({ description: 'as requested' }),
    odds_decimal_average: numberOrNull('average price over what is filled; null if nothing can be staked'),
    odds_decimal_worst: numberOrNull('price of the last level taken; null if nothing can be staked'),
    stake_filled: Type.Number({ description: 'how much of the stake the levels take, within max_bet' }),
    levels: Type.Integer({ minimum: 0, description: 'levels taken' }),
  },
  { description: 'taking the ladder of a row' },
);
export type Executable = Static<typeof Executable>;

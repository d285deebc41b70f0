// A book's commission, as books, legs and prices show it.
import { HIGHEST_EXPONENT, ROUNDINGS } from '../base/model/commission.js';
import { Type } from '../base/model/json-schema.js';

const rate = Type.Number({ minimum: 0, exclusiveMaximum: 1, description: 'a fraction', examples: [0.05] });

export const Commission = Type.Union(
  [
    Type.Object({ model: Type.Literal('winnings'), rate }, { description: "of a bet's winnings" }),
    Type.Object(
      {
        model: Type.Literal('contract'),
        rate,
        exponent: Type.Optional(
          Type.Integer({ minimum: 1, maximum: HIGHEST_EXPONENT, description: 'absent: 1', examples: [2] }),
        ),
        rounding: Type.Optional(
          Type.Enum([...ROUNDINGS], {
            description:
              'cent_up: the fee of an order (100 contracts) is rounded up to the cent; centicent_up: that of a fill to a hundredth of a cent, which a large fill does not feel',
          }),
        ),
      },
      { description: 'rate * (p * (1 - p)) ^ exponent on a contract bought at p = 1 / decimal that pays 1' },
    ),
  ],
  { description: "the book's commission" },
);

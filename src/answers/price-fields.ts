// A stated price in answers: always with its implied probability, under both names that clients read.
import { roundDecimal, roundProbability } from '../base/model/price.js';
import type { OddsTable } from '../tables/table.js';

/** 1 / decimal, 0-1. */
export function probabilities(decimal: number): { odds_probability: number; probability: number } {
  const probability = roundProbability(1 / decimal);
  return { odds_probability: probability, probability };
}

/** A row's price as an object, including the price after the book's commission. */
export function netPriceOf({ columns }: OddsTable, slot: number) {
  const decimal = columns.decimal[slot]!;
  return {
    american: columns.american[slot]!,
    decimal: roundDecimal(decimal),
    decimal_net: roundDecimal(columns.net[slot]!),
    ...probabilities(decimal),
  };
}

/** Of a bet on a player or one team: on whom. */
export function propFields(table: OddsTable, slot: number) {
  const { player, stat, team } = table.columns;
  const [playerName, category, side] = [player.at(slot), stat.at(slot), team.at(slot)];
  return {
    ...(playerName === null ? {} : { player_name: playerName }),
    ...(category === null ? {} : { stat_category: category }),
    ...(side === null ? {} : { team_name: table.eventOf(slot)[side] }),
  };
}

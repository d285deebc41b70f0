// The fields of a game's state that only some sports have: all optional.
import { Type } from '../base/model/json-schema.js';

const number = (description: string, example: number) =>
  Type.Optional(Type.Number({ description, examples: [example] }));
const text = (description: string, example: string) => Type.Optional(Type.String({ description, examples: [example] }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description, examples: [true] }));
const pair = <Name extends string>(name: Name, description: string, example: number) => ({
  [`home_${name}`]: number(`${description}: the home side's`, example),
  [`away_${name}`]: number(`${description}: the away side's`, example),
});

export const sportState = {
  inning: number('baseball: the inning', 7),
  inning_half: text('baseball: top or bottom', 'top'),
  outs: number('baseball: outs of the half inning', 2),
  balls: number('baseball: of the batter', 3),
  strikes: number('baseball: of the batter', 2),
  on_first: flag('baseball: a runner is on first base'),
  on_second: flag('baseball: a runner is on second base'),
  on_third: flag('baseball: a runner is on third base'),
  down: number('American football: the down', 3),
  distance: number('American football: yards to go', 7),
  yard_line: number('American football: where the ball is, as the source counts', 35),
  ...pair('timeouts', 'timeouts left', 2),
  current_set: number('sets: the one that is played', 2),
  ...pair('sets', 'sets won', 1),
  ...pair('games', 'tennis: games of the set', 4),
  home_points: text("tennis: points of the game, the home side's", '40'),
  away_points: text("tennis: points of the game, the away side's", 'AD'),
  server: text('who serves: home or away', 'home'),
  is_tie_break: flag('tennis: the game is a tie-break'),
  ...pair('red_cards', 'soccer: red cards', 1),
  ...pair('yellow_cards', 'soccer: yellow cards', 2),
  ...pair('corners', 'soccer: corners', 5),
  ...pair('shots', 'shots on goal', 8),
  ...pair('wickets', 'cricket: wickets lost', 4),
  ...pair('overs', 'cricket: overs faced', 17.3),
};

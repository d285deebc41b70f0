// Several processes: what fronts of one machine and over NATS JetStream make of a change, against one process and bare
// uWebSockets, what each further front costs, and what a front of many rows takes.
import { inTurn, type Section } from '../bench.js';
import { frontCost } from './front-cost.js';
import { frontDelays } from './front-delays.js';
import { frontServing } from './front-serving.js';
import { largeFront } from './large-front.js';

export const cluster: Section = {
  name: 'cluster',
  about: 'fronts of one machine and over NATS JetStream',
  underLoad: true,
  run: inTurn(frontServing, frontDelays, frontCost, largeFront),
};

// Peer: fastify with the rows of a page as objects in memory, or as strings in Redis, made into an answer each time.

import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { RedisClient } from '../redis-client.js';
import { announce, givenPages } from './serving.js';

const app = fastify();
const redisPort = process.argv[3];
const redis = redisPort === undefined ? undefined : await RedisClient.open(Number(redisPort));

for (const { path, body } of givenPages()) {
  const { data } = JSON.parse(body.toString()) as { data: { id: string }[] };
  app.get(`/rows${path}`, async () => ({ success: true, data, updated_at: new Date().toISOString() }));
  if (redis === undefined) continue;
  const keys = data.map(({ id }) => `odds:${id}`);
  for (const [i, row] of data.entries()) await redis.command('SET', keys[i]!, JSON.stringify(row));
  app.get(`/redis${path}`, async (_request, reply) => {
    const found = (await redis.command('MGET', ...keys)) as string[];
    reply.header('Content-Type', 'application/json');
    return `{"success":true,"data":[${found.join(',')}],"updated_at":"${new Date().toISOString()}"}`;
  });
}
await app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
announce((app.server.address() as AddressInfo).port);
process.on('SIGTERM', () => process.exit(0));

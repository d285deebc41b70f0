// A program on the client, compiled as its own project against the declarations the package ships, every library checked.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CLIENT_PARAMS, CLIENT_TYPES } from '../../src/schema/client-types.js';
import { newFolder } from '../temp-folders.js';

const PROGRAM = `
import { OverroundClient, OverroundError } from 'overround/client';
import type { ArbitrageOpportunity, OddsDelta, OddsRow, StreamEvent } from 'overround/client';

const client = new OverroundClient({ url: 'http://127.0.0.1:8080', apiKey: 'k', timeoutMs: 1_000, retries: 1 });

export async function read(): Promise<string> {
  const { data, meta, pagination } = await client.odds({ league: ['nba', 'nfl'], live: true, limit: 5 });
  const row: OddsRow | undefined = data[0];
  const arbs: ArbitrageOpportunity[] = (await client.opportunities('arbitrage', { min_profit: 1, group: 'best' })).data;
  const legs: number[] = arbs.flatMap(({ legs }) => legs.map(({ stake_percent }) => stake_percent));
  const { data: ev } = await client.opportunities('ev');
  const edge: number | null | undefined = ev[0]?.ev_percentage;
  const low = (await client.opportunities('low_hold')).data[0]?.side3?.odds.american;
  const score: number | null | undefined = (await client.events({ q: 'heat' })).data[0]?.game_state?.home_score;
  const changed = await client.oddsDelta(meta.server_time ?? '', { sportsbook: 'draftkings' });
  const hold: number | null | undefined = (await client.comparison('x')).data.markets[0]?.hold.best_available;
  // @ts-expect-error there is no such parameter: the answer would be wider than asked
  await client.odds({ leagues_: 'nba' });
  // @ts-expect-error a field that no row has
  void row?.price;
  // @ts-expect-error an arbitrage has no such parameter
  await client.opportunities('arbitrage', { min_ev: 1 });
  const status: 'upcoming' | 'live' | 'ended' | 'postponed' | 'cancelled' | undefined = row?.status;
  return [legs, edge, low, score, changed.removed, hold, status, pagination.total, client.rateLimit?.remaining].join();
}

function onEvent(event: StreamEvent): void {
  if (event.type === 'updated') for (const delta of event.deltas) move(delta);
  if (event.type === 'detected' && event.channel === 'middles') for (const { middle_numbers } of event.items) void middle_numbers[0];
}

function move({ id, odds_decimal }: OddsDelta): void {
  const line: number | null | undefined = stream.table.odds.get(id)?.line;
  void [line, odds_decimal];
}

declare const keyOfEnvironment: string | undefined;
void new OverroundClient({ url: 'http://127.0.0.1:8080', apiKey: keyOfEnvironment });

const stream = client.stream('all', { league: 'nba' }, { onEvent, onError: (error) => void error });
stream.ready.catch((error: unknown) => {
  if (error instanceof OverroundError) void [error.code, error.status, error.retryAfter, error.requestId];
});
export const best: number | null | undefined = [...stream.table.opportunities.ev.values()][0]?.ev_percentage;
`;

const COMPILER = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  typeRoots: [resolve('node_modules/@types')],
};

function project(compilerOptions: object): string {
  const dir = newFolder('overround-consumer-');
  const installed = join(dir, 'node_modules/overround');
  mkdirSync(join(installed, 'dist/src'), { recursive: true });
  writeFileSync(join(installed, 'package.json'), readFileSync('package.json'));
  // Only the client: an import of anything else would fail.
  cpSync(fileURLToPath(new URL('../../src/client', import.meta.url)), join(installed, 'dist/src/client'), {
    recursive: true,
  });
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(dir, 'program.ts'), PROGRAM);
  const settings = { compilerOptions: { ...COMPILER, ...compilerOptions }, files: ['program.ts'] };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify(settings));
  return dir;
}

function compile(dir: string): Promise<string> {
  const tsc = resolve('node_modules/typescript/bin/tsc');
  return new Promise((done) => execFile(process.execPath, [tsc, '-p', dir], (_error, out, err) => done(out + err)));
}

for (const [where, options] of [
  ['browsers', { lib: ['es2022', 'dom', 'dom.iterable'], types: [] }],
  ['Node', { lib: ['es2022'], types: ['node'] }],
] as const)
  test(`a program for ${where} compiles against the client's declarations, with library checks`, async () => {
    assert.equal(await compile(project(options)), '');
  });

test('every named schema has a type of that name, in the sources and in the package', () => {
  const names = Object.keys(CLIENT_PARAMS);
  for (const [text, form, named] of [
    [readFileSync('src/client/types.ts', 'utf8'), /^export type (\w+) = Params<'\1'>;$/gm, names],
    [
      readFileSync(new URL('../../src/client/types.d.ts', import.meta.url), 'utf8'),
      /^export (?:type|interface) (\w+) /gm,
      [...Object.keys(CLIENT_TYPES), ...names],
    ],
  ] as const)
    assert.deepEqual([...text.matchAll(form)].map(([, name]) => name).sort(), [...named].sort());
});

test('nothing of the declarations is left open', () => {
  const declared = readFileSync(new URL('../../src/client/types.d.ts', import.meta.url), 'utf8');
  const text = declared.replaceAll(/"[^"\n]*"/g, '""');
  const open = [...text.matchAll(/^.*\b(?:unknown(?!: \{$)|any)\b.*$/gm)].map(([line]) => line.trim());
  // Parts of pushed messages that are validated one by one on arrival.
  assert.deepEqual(
    open.filter((line) => !/^(?:\/\*\*|game_state\?|splits\?|futures\?|game_states\?)/.test(line)),
    [],
  );
});

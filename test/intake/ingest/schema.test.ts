// The documented message and the one that is read are the same: every field of the schema is read, its examples are
// taken, and a value that it does not allow is refused where it stands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rejection } from '../../../src/base/model/normal-message.js';
import { normalise } from '../../../src/intake/ingest/normalise.js';
import { IngestMessage } from '../../../src/schema/ingest.js';
import { catalogue } from '../../writer/shard/rig.js';
import { event, latest, market, message, selection } from './messages.js';

interface Schema {
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  examples?: unknown[];
}

interface Field {
  /** Names and indices from the message to the part that has it. */
  part: (string | number)[];
  name: string;
  schema: Schema;
}

const GAME = { league: 'nba', home_team: 'Miami Heat', away_team: 'New York Knicks' };
const START = { ...GAME, start_time: '2026-11-20T20:00:00Z' };

/** A message in which the field counts. */
function sentWith({ part, name }: Field): Record<string | number, unknown> {
  const at = [...part, name].join('.');
  if (part[0] === 'results' || at === 'source') {
    // Of a level score any winner can be.
    const result = { ...START, status: 'final', home_score: 110, away_score: name === 'winner' ? 110 : 104 };
    return { source: 'league', polled_at: '2026-11-20T23:00:00Z', results: [result] };
  }
  if (part[0] === 'settlements') {
    const sides = name === 'selection' ? {} : { selection_type: 'over' };
    const end = name === 'value' ? {} : { outcome: 'won' };
    const settlement = { ...START, market_type: 'total_points', ...sides, line: 220.5, ...end };
    return { book: 'kalshi', polled_at: '2026-11-20T23:00:00Z', settlements: [settlement] };
  }
  const total = selection({ selection: 'Over', selection_type: 'over', line: 110.5 });
  if (name === 'probability' || name === 'private') {
    const own = { selection: 'Over', selection_type: 'over', line: 110.5, probability: 0.5 };
    const events = [event([market([own], { market_type: 'total_points' })])];
    return { ...message(events, { book: 'our-model' }), kind: 'model' };
  }
  if (name === 'odds_decimal') delete (total as Partial<typeof total>).odds_american;
  const of = name === 'team' ? { market_type: 'team_total', team: 'home' } : { market_type: 'total_points' };
  const book = name === 'kind' ? { book: 'our-model' } : {};
  return { ...message([event([market([total], of)], GAME)], { scope: 'league', league: 'nba', ...book }) };
}

function fieldsOf(schema: Schema): Field[] {
  const fields: Field[] = [];
  const walk = (part: Field['part'], of: Schema): void => {
    for (const [name, field] of Object.entries(of.properties ?? {}))
      if (field.items?.properties !== undefined && part.length < 6 && part[0] !== 'results')
        walk([...part, name, 0], field.items);
      else if (field.items === undefined && field.properties === undefined) fields.push({ part, name, schema: field });
  };
  walk([], schema);
  return fields;
}

function rejectedOf(field: Field, value: unknown): Rejection[] {
  const sent = sentWith(field);
  let part = sent;
  for (const step of field.part) part = part[step] as typeof sent;
  part[field.name] = value;
  const rejected: Rejection[] = [];
  normalise(
    sent,
    '',
    { catalogue, clock: latest, leagueOfEvent: () => ({ league: 'nba', sport: 'basketball' }) },
    rejected,
  );
  return rejected;
}

function wrongValues({ type, enum: values, anyOf = [] }: Schema): unknown[] {
  const types = new Set([type, ...anyOf.map((one) => one.type)]);
  const wrong: unknown[] = types.has('object') ? [] : [{ a: 1 }];
  if (values !== undefined) wrong.push('nonsense');
  if (!types.has('number') && !types.has('integer') && !types.has('string')) wrong.push(7);
  if (!types.has('boolean')) wrong.push(true);
  return wrong;
}

const FIELDS = fieldsOf(IngestMessage as Schema);
const nameOf = ({ part, name }: Field): string => [...part, name].join('.');

test('a value that the schema does not allow is refused, whatever field it is of', () => {
  const taken: string[] = [];
  for (const field of FIELDS)
    for (const value of wrongValues(field.schema))
      if (!rejectedOf(field, value).some(({ path }) => path.endsWith(field.name)))
        taken.push(`${nameOf(field)}: ${JSON.stringify(value)}`);
  assert.deepEqual(taken, []);
  assert.ok(FIELDS.length > 60, `${FIELDS.length} fields`);
});

test('the examples of the schema are taken', () => {
  const refused: string[] = [];
  for (const field of FIELDS)
    for (const example of field.schema.enum ?? field.schema.examples ?? []) {
      const rejected = rejectedOf(field, example);
      if (rejected.length > 0) refused.push(`${nameOf(field)} ${JSON.stringify(example)}: ${JSON.stringify(rejected)}`);
    }
  assert.deepEqual(refused, []);
});

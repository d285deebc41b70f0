// Tables of the reference equal what the program has: tiers, errors, metrics.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERROR_STATUS } from '../src/base/model/errors.js';
import { WARNING_CODES, WARNINGS } from '../src/base/model/warnings.js';
import { startServer } from '../src/index.js';
import { loadCatalogue } from '../src/rules/catalogue/load.js';
import { HOUSE_RULES, type HouseRuleEntry } from '../src/rules/markets/house-rules.js';
import { SSE_EVENTS, WS_FRAMES } from '../src/schema/frames.js';
import { newFolder } from './temp-folders.js';

function table(page: string, name: string): string {
  const text = readFileSync(`docs/reference/${page}.md`, 'utf8');
  return new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)\n?<!-- /${name} -->`).exec(text)![1]!;
}

const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`;

test('the page of errors has every code with its status', () => {
  const rows = table('errors', 'errors').split('\n').slice(2);
  const shown = rows.map((row) => /^\| `(\w+)` \| (\d+) \| \S/.exec(row)!.slice(1, 3));
  const status = Object.entries(ERROR_STATUS).map(([code, number]) => [code, String(number)]);
  assert.deepEqual(shown.sort(), status.sort());
});

interface Tier {
  id: string;
  requests_per_minute: number;
  data_delay_seconds: number;
  max_books: number | null;
  features: string[];
  addons: string[];
  channels: string[];
  stream_slots: number;
  limits: { batch_events: number; alert_rules: number; history_seconds: number | null };
}

/** Rights against tiers, then the numbers. */
function tiersTable(tiers: readonly Tier[]): string {
  const rights = tiers.at(-1)!.features;
  const days = (seconds: number | null) => (seconds === null ? 'all' : seconds === 0 ? 'no' : `${seconds / 86_400} d`);
  const of = (name: string, read: (tier: Tier) => unknown) => line([name, ...tiers.map(read)]);
  return [
    of('', ({ id }) => id),
    line(['---', ...tiers.map(() => '---')]),
    of('requests a minute', (tier) => tier.requests_per_minute),
    of('delay', (tier) => (tier.data_delay_seconds === 0 ? 'none' : `${tier.data_delay_seconds} s`)),
    of('books', (tier) => tier.max_books ?? 'all'),
    of('open streams', (tier) => tier.stream_slots),
    of('events in a batch', (tier) => tier.limits.batch_events),
    of('rules of alerts', (tier) => tier.limits.alert_rules),
    of('history', (tier) => days(tier.limits.history_seconds)),
    ...rights.map((right) =>
      of(`\`${right}\``, ({ features, addons }) =>
        features.includes(right) ? 'yes' : addons.includes(right) ? 'add-on' : 'no',
      ),
    ),
  ].join('\n');
}

/** Every entry, as it stands in the catalogue. */
function houseRulesTable(entries: readonly HouseRuleEntry[]): string {
  const ids = (names: readonly string[] | undefined) =>
    names?.map((id) => (id === '*' ? 'all' : `\`${id}\``)).join(', ');
  const cell = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value).replaceAll('"', '') : value);
  const rows = entries.map((entry) => {
    const { id, books, owners, sports, leagues, families, source } = entry;
    const rules = HOUSE_RULES.filter((name) => entry[name] !== undefined).map(
      (name) => `\`${name}: ${cell(entry[name])}\``,
    );
    const who = ids(books) ?? `all of ${ids(owners)}`;
    return line([`\`${id}\``, who, ids(sports ?? leagues), ids(families) ?? 'all', rules.join(', '), source]);
  });
  const head = ['entry', 'books', 'sports or leagues', 'families', 'rule', 'source'];
  return [line(head), line(head.map(() => '---')), ...rows].join('\n');
}

test('the page of house rules has every entry with its source', () => {
  const { entries } = loadCatalogue().houseRules;
  assert.equal(table('house-rules', 'house-rules'), houseRulesTable(entries), 'copy this table between the markers');
});

test('the page of warnings has every code with what it means', () => {
  const rows = WARNING_CODES.map((id) => line([`\`${id}\``, WARNINGS[id]]));
  const expected = [line(['warning', 'what it means']), line(['---', '---']), ...rows].join('\n');
  assert.equal(table('warnings', 'warnings'), expected, 'copy this table between the markers');
});

/** Every metric of the program's own, with its kind and help. */
function metricsTable(text: string): string {
  const found = [...text.matchAll(/^# HELP (overround_\S+) (.*)\n# TYPE \S+ (\w+)/gm)];
  const rows = found.map(([, name, help, kind]) => line([`\`${name}\``, kind, help!.replaceAll('|', '\\|')]));
  return [line(['metric', 'kind', 'what it is']), line(['---', '---', '---']), ...rows.sort()].join('\n');
}

test('the pages of tiers and metrics have what a server answers', async (t) => {
  const server = await startServer({
    settings: { port: '0', data: newFolder(), workers: '1', log: 'silent' },
    feeds: [],
  });
  t.after(() => server.close());
  const tiers = (await (await fetch(`${server.url}/api/v1/tiers`)).json()) as { data: Tier[] };
  assert.equal(table('tiers', 'tiers'), tiersTable(tiers.data), 'copy this table between the markers');
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  assert.equal(table('metrics', 'metrics'), metricsTable(metrics), 'copy this table between the markers');
});

test('the page of streams has every event with its fields', () => {
  const fields = (shape: object | undefined): string => {
    if (shape === undefined) return '';
    if (!('properties' in shape)) return 'a list of items';
    const names = Object.keys(shape.properties as object).filter((name) => name !== 'seq' && name !== 'type');
    return names.map((name) => `\`${name}\``).join(', ');
  };
  const events = [...new Set([...Object.keys(SSE_EVENTS), ...Object.keys(WS_FRAMES)])];
  const rows = events.map((event) => line([`\`${event}\``, fields(SSE_EVENTS[event]), fields(WS_FRAMES[event])]));
  assert.deepEqual(table('streams', 'events').split('\n').slice(2), rows);
});

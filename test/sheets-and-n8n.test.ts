// The Apps Script and the n8n workflow of docs/guides/sheets-and-n8n.md, run here with what their hosts give them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { parse } from 'csv-parse/sync';
import { Webhook } from 'standardwebhooks';
import { api, fillWorld } from './front/api.js';

const PAGE = readFileSync('docs/guides/sheets-and-n8n.md', 'utf8');

test('the addresses of the page are tables for who has a viewer token', async (t) => {
  const made = await api(t);
  await fillWorld(made);
  const key = made.key('pro');
  const [, asked] = /^curl (.*)$/m.exec(PAGE)!;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const body = /-d '([^']+)'/.exec(asked!)![1]!;
  const answer = await fetch(`${made.url}/api/v1/account/tokens`, { method: 'POST', headers, body });
  const { token } = ((await answer.json()) as { data: { token: string } }).data;
  const cells = [...PAGE.matchAll(/=IMPORTDATA\("https:\/\/odds\.example\.com([^"]+)"\)/g)];
  assert.equal(cells.length, 2);
  for (const [, path] of cells) {
    const table = await fetch(made.url + path!.replace('vt_…', token));
    assert.equal(table.status, 200);
    assert.match(table.headers.get('content-type')!, /^text\/csv/);
    const rows = parse(await table.text(), { columns: true }) as Record<string, string>[];
    assert.ok(rows.length > 0, path);
  }
});

test('the Apps Script fills its sheets, waits where it is asked to, and says what is refused', async (t) => {
  const made = await api(t);
  await fillWorld(made);
  const properties = { OVERROUND_URL: made.url, OVERROUND_KEY: made.key('pro') };
  const answers = new Map<string, { status: number; headers: Record<string, string>; text: string }>();
  const slept: number[] = [];
  const sheets = new Map<string, unknown[][]>();
  let busy = 1;
  const sheet = (name: string) => ({
    clearContents: () => sheets.set(name, []),
    getRange: (row: number, column: number, height: number, width: number) => ({
      setValues: (values: unknown[][]) => {
        assert.deepEqual([row, column, height, width], [1, 1, values.length, values[0]!.length]);
        sheets.set(name, values);
      },
    }),
  });
  const wanted: string[] = [];
  const context = createContext({
    PropertiesService: {
      getScriptProperties: () => ({ getProperty: (name: keyof typeof properties) => properties[name] }),
    },
    SpreadsheetApp: {
      getActiveSpreadsheet: () => ({
        getSheetByName: (name: string) => (sheets.has(name) ? sheet(name) : null),
        insertSheet: (name: string) => sheet(name),
      }),
    },
    Utilities: { parseCsv: (text: string) => parse(text) as string[][], sleep: (ms: number) => slept.push(ms) },
    // There it waits for the answer; here answers are fetched before the script runs again.
    UrlFetchApp: {
      fetch: (url: string, { headers }: { headers: Record<string, string> }) => {
        assert.equal(headers['X-API-Key'], properties.OVERROUND_KEY);
        if (busy-- > 0)
          return { getResponseCode: () => 429, getHeaders: () => ({ 'Retry-After': '7' }), getContentText: () => '' };
        const answer = answers.get(url);
        if (answer === undefined) {
          wanted.push(url);
          throw new Error('not fetched yet');
        }
        return {
          getResponseCode: () => answer.status,
          getHeaders: () => answer.headers,
          getContentText: () => answer.text,
        };
      },
    },
    encodeURIComponent,
  });
  runInContext(readFileSync('examples/sheets/odds.gs', 'utf8'), context);
  for (let tries = 0; tries < 5; tries++)
    try {
      runInContext('refresh()', context);
      break;
    } catch (error) {
      if (!String(error).includes('not fetched yet')) throw error;
      for (const url of wanted.splice(0)) {
        const answer = await fetch(url, { headers: { 'x-api-key': properties.OVERROUND_KEY } });
        answers.set(url, { status: answer.status, headers: {}, text: await answer.text() });
      }
    }
  assert.deepEqual(slept, [7_000]);
  assert.deepEqual([...sheets.keys()], ['odds', 'arbitrage']);
  for (const values of sheets.values()) assert.ok(values.length > 1 && values[0]!.includes('event_id'));
  for (const url of answers.keys()) answers.set(url, { status: 403, headers: {}, text: 'no' });
  assert.throws(() => runInContext('refresh()', context), /403: no/);
});

interface Workflow {
  nodes: { name: string; type: string; parameters: { jsCode?: string; options?: { rawBody?: boolean } } }[];
  connections: Record<string, { main: { node: string }[][] }>;
}

test('the workflow takes what the server signs, and nothing else', async () => {
  const flow = JSON.parse(readFileSync('examples/n8n/signed-alerts.json', 'utf8')) as Workflow;
  const names = flow.nodes.map(({ name }) => name);
  for (const [from, { main }] of Object.entries(flow.connections))
    for (const { node } of main.flat()) assert.ok(names.includes(from) && names.includes(node));
  assert.equal(flow.nodes[0]!.parameters.options!.rawBody, true);
  const code = flow.nodes.find(({ type }) => type.endsWith('.code'))!.parameters.jsCode!;
  const secret = `whsec_${Buffer.from('a secret of a rule, thirty-two b').toString('base64')}`;
  const work = new Function('$input', '$env', 'require', `return (async function () {${code}}).call(this)`) as (
    this: object,
    ...given: unknown[]
  ) => Promise<{ json: Record<string, unknown> }[]>;
  const take = (headers: object, body: string) =>
    work.call(
      { helpers: { getBinaryDataBuffer: async () => Buffer.from(body) } },
      { first: () => ({ json: { headers } }) },
      { OVERROUND_WEBHOOK_SECRET: secret },
      createRequire(import.meta.url),
    );
  const body = JSON.stringify({
    type: 'arbitrage.detected',
    data: { name: 'mine', items: [{ id: 'a' }, { id: 'b' }] },
  });
  const signed = (at: Date, text = body) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, text),
  });
  const items = await take(signed(new Date()), body);
  assert.deepEqual(
    items.map(({ json }) => [json['type'], json['id'], json['message_id']]),
    [
      ['arbitrage.detected', 'a', 'msg_1'],
      ['arbitrage.detected', 'b', 'msg_1'],
    ],
  );
  await assert.rejects(take(signed(new Date(), `${body} `), body), /signature/);
  await assert.rejects(take(signed(new Date(Date.now() - 301_000)), body), /too old/);
  await assert.rejects(take({}, body), /signature/);
});

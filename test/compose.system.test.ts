// examples/compose: Prometheus runs with its very configuration against a server, and everything that a panel or a rule asks
// for has an answer. Where Prometheus is missing, the metrics that they name are at least those of the server.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { SimFeed } from '../src/intake/feeds/sim/feed.js';
import { simOptions } from '../src/intake/feeds/sim/market.js';
import { freePort } from './support/free-port.js';
import { boot } from './support/server.js';
import { until } from './support/until.js';
import { newFolder } from './temp-folders.js';
import { catalogue } from './writer/shard/rig.js';

const DIR = 'examples/compose';
interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}
interface Dashboard {
  panels: { title: string; datasource: { uid: string }; targets: { expr: string }[] }[];
}
interface Compose {
  services: Record<string, { volumes?: string[]; build?: string }>;
}
const RULES = (parse(readFileSync(join(DIR, 'rules.yml'), 'utf8')) as Rules).groups.flatMap(({ rules }) => rules);
const DASHBOARD = JSON.parse(readFileSync(join(DIR, 'grafana/dashboard.json'), 'utf8')) as Dashboard;
const missing = ['prometheus', 'promtool'].some((program) => spawnSync(program, ['--version']).status !== 0);
const skip = missing && 'Prometheus is not installed';

/** What a rule compares, without its bound: that a healthy server has no alert is no proof that the rule can have one. */
const compared = (expr: string): string => {
  const found = /^(.*) [<>] [\d.]+$/s.exec(expr)?.[1];
  assert.ok(found, `${expr} is no number and a bound`);
  return found;
};
const EXPRESSIONS = [
  ...DASHBOARD.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...RULES.map(({ alert, expr }) => [alert, compared(expr)] as const),
];

test('the files that the services mount are there, and the panels ask the source that is provisioned', () => {
  const { services } = parse(readFileSync(join(DIR, 'compose.yaml'), 'utf8')) as Compose;
  assert.deepEqual(Object.keys(services), ['overround', 'prometheus', 'grafana']);
  for (const { volumes = [] } of Object.values(services))
    for (const volume of volumes)
      if (volume.startsWith('./'))
        assert.ok(spawnSync('test', ['-e', join(DIR, volume.split(':')[0]!)]).status === 0, volume);
  const sources = parse(readFileSync(join(DIR, 'grafana/provisioning/datasources/prometheus.yaml'), 'utf8')) as {
    datasources: { uid: string }[];
  };
  for (const { datasource } of DASHBOARD.panels) assert.equal(datasource.uid, sources.datasources[0]!.uid);
  assert.equal(spawnSync('test', ['-e', join(DIR, services['overround']!.build!, 'Dockerfile')]).status, 0);
});

test('every metric that a panel or a rule names is one of the server', async (t) => {
  const { url } = await boot(t, { feeds: [new SimFeed(simOptions({ seed: 7, books: 4, events: 20 }), catalogue)] });
  const text = await (await fetch(`${url}/metrics`)).text();
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
  for (const [title, expr] of EXPRESSIONS)
    for (const [name] of expr.matchAll(/\b(?:overround|process|nodejs)_\w+/g))
      assert.ok(known.has(name.replace(/_bucket$/, '')), `${title} asks for ${name}`);
});

test('everything that the panels and rules ask for has an answer', { skip }, async (t) => {
  const feeds = [new SimFeed(simOptions({ seed: 7, books: 6, events: 30, rate: 300 }), catalogue)];
  const { server, port, url } = await boot(t, { feeds });
  const dir = join(newFolder('overround-compose-'), 'prometheus');
  cpSync(DIR, dir, { recursive: true });
  execFileSync('promtool', ['check', 'config', join(dir, 'prometheus.yml')]);
  // The one thing that differs is where the server is.
  const file = join(dir, 'prometheus.yml');
  const text = readFileSync(file, 'utf8');
  assert.ok(text.includes('overround:8080'));
  writeFileSync(file, text.replace('overround:8080', `127.0.0.1:${port}`));
  const at = `127.0.0.1:${await freePort()}`;
  const flags = [`--config.file=${file}`, `--storage.tsdb.path=${dir}/data`, `--web.listen-address=${at}`];
  const prometheus = spawn('prometheus', flags, { stdio: 'ignore' });
  t.after(async () => {
    const exited = once(prometheus, 'exit');
    prometheus.kill('SIGKILL');
    await exited;
  });
  // Somebody reads and follows, as in use.
  const key = server.accounts.testKeys().at(-1)!.key;
  const stream = new AbortController();
  t.after(() => stream.abort());
  const followed = await fetch(`${url}/api/v1/stream?channel=odds`, {
    headers: { 'x-api-key': key },
    signal: stream.signal,
  });
  followed.body!.pipeTo(new WritableStream()).catch(() => undefined);
  const answered = async (expr: string): Promise<number> => {
    const answer = await fetch(`http://${at}/api/v1/query?query=${encodeURIComponent(expr)}`);
    const body = (await answer.json()) as {
      status: string;
      error?: string;
      data?: { result: { value: [number, string] }[] };
    };
    assert.equal(body.status, 'success', `${expr}: ${body.error}`);
    return body.data!.result.filter(({ value }) => value[1] !== 'NaN').length;
  };
  await until('Prometheus answers', () =>
    fetch(`http://${at}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  let without: (readonly [string, string])[] = [];
  await until(
    () => `nothing for ${without.map(([title, expr]) => `${title}: ${expr}`).join('\n')}`,
    async () => {
      await fetch(`${url}/api/v1/odds`, { headers: { 'x-api-key': key } });
      const found = await Promise.all(EXPRESSIONS.map(async (each) => [each, await answered(each[1])] as const));
      without = found.flatMap(([each, count]) => (count === 0 ? [each] : []));
      return without.length === 0;
    },
  );
  const rules = (await (await fetch(`http://${at}/api/v1/rules`)).json()) as {
    data: { groups: { rules: object[] }[] };
  };
  assert.equal(rules.data.groups[0]!.rules.length, RULES.length);
});

// The Python client's own tests (python/tests) against a server here, under each Python that is there; and its wheel, which
// installs without a network.
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import type { Feed } from '../../src/intake/feeds/feed.js';
import { SimFeed } from '../../src/intake/feeds/sim/feed.js';
import { simOptions } from '../../src/intake/feeds/sim/market.js';
import { blocksOf } from '../support/page-blocks.js';
import { boot } from '../support/server.js';
import { until } from '../support/until.js';
import { newFolder } from '../temp-folders.js';
import { catalogue } from '../writer/shard/rig.js';

const run = promisify(execFile);
/** Debian's own may have pandas where another one in the path has not. */
const PYTHONS = [...new Set(['python3', '/usr/bin/python3'])].filter(
  (name) => spawnSync(name, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0,
);
const skip = PYTHONS.length === 0 ? 'Python 3.9 or newer is missing' : false;

async function serving(t: TestContext, feeds: readonly Feed[] = []): Promise<NodeJS.ProcessEnv> {
  const settings = { history: '7', 'alert-hosts': '127.0.0.1' };
  const { server, url } = await boot(t, { data: newFolder('overround-python-'), settings, feeds });
  const rights = { streaming: true, features: ['low_hold'], scopes: ['read', 'ingest'] };
  const { key } = await server.accounts.create({ tier: 'enterprise', requestsPerMinute: 100_000, ...rights });
  const path = ['python/src', 'python/tests'].map((folder) => resolve(folder)).join(delimiter);
  return { ...process.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1', OVERROUND_URL: url, OVERROUND_KEY: key };
}

for (const python of PYTHONS)
  test(`the Python client does what it says, under ${python}`, { skip }, async (t) => {
    const env = await serving(t);
    const flags = ['-W', 'error::ResourceWarning', '-m', 'unittest', 'discover', '-s', 'python/tests'];
    const ended = await run(python, flags, { env, maxBuffer: 2 ** 26 }).catch((error: object) => ({
      ...error,
      failed: true,
    }));
    const { stderr, failed } = ended as { stderr: string; failed?: true };
    assert.ok(!failed, stderr);
    assert.match(stderr, /^Ran [2-9]\d tests/m);
    t.diagnostic(stderr.trim().split('\n').at(-1)!);
  });

test('pip installs the package from its folder without a network, and the wheel has every file', { skip }, async () => {
  const dir = newFolder('overround-wheel-');
  const into = join(dir, 'installed');
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-cache-dir', '--target', into, './python'];
  const installer = PYTHONS.find((python) => spawnSync(python, ['-m', 'pip', '--version']).status === 0);
  const { stdout } = await run(PYTHONS[0]!, ['python/backend/wheel_backend.py', dir]);
  assert.match(stdout, /overround-\d+\.\d+\.\d+-py3-none-any\.whl\n$/);
  if (installer === undefined) return;
  await run(installer, pip);
  const wanted = readdirSync('python/src/overround').filter((name) => /\.py$|^py\.typed$/.test(name));
  assert.deepEqual(
    readdirSync(join(into, 'overround'))
      .filter((name) => name !== '__pycache__')
      .sort(),
    wanted.sort(),
  );
  const env = { ...process.env, PYTHONPATH: into };
  const version = 'import importlib.metadata as m, overround; print(m.version("overround"), overround.__version__)';
  const shown = (await run(installer, ['-c', version], { env })).stdout.trim().split(' ');
  assert.equal(shown[0], shown[1]);
});

for (const python of PYTHONS.slice(-1))
  test('the programs of the page "From Python" run one after the other', { skip }, async (t) => {
    const env = await serving(t, [new SimFeed(simOptions({ seed: 7, books: 12, events: 40, rate: 200 }), catalogue)]);
    const asked = `${env['OVERROUND_URL']}/api/v1/odds/best?sport=basketball&market=moneyline`;
    const headers = { 'x-api-key': env['OVERROUND_KEY']! };
    await until('the simulated market has prices', async () =>
      (await (await fetch(asked, { headers })).text()).includes('"best_book"'),
    );
    const hasPandas = spawnSync(python, ['-c', 'import pandas']).status === 0;
    const programs = blocksOf('docs/guides/from-python.md', 'python').filter(
      (program) => hasPandas || !program.includes('to_pandas'),
    );
    assert.ok(programs.length >= 5);
    const { stdout } = await run(python, ['-c', programs.join('\n')], { env });
    assert.match(stdout, /^\d+ prices above fair$/m);
    assert.match(stdout, /^ok \d+$/m);
    assert.match(stdout, /^404 not_found /m);
    // Of the package's own page, which follows without end.
    const [own] = blocksOf('python/README.md', 'python') as [string];
    const followed = own
      .split('\n')
      .filter((line) => hasPandas || !line.includes('to_pandas'))
      .join('\n')
      .replace('min_profit=1', 'min_profit=0');
    const follows = spawn(python, ['-u', '-c', followed], { env });
    t.after(() => follows.kill('SIGKILL'));
    let said = '';
    for (const stream of [follows.stdout, follows.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes));
    await until(
      () => said,
      () => {
        assert.equal(follows.exitCode, null, said);
        return /^nba\S* .* -?\d+(?:\.\d+)?$/m.test(said);
      },
    );
    follows.kill('SIGKILL');
    const [shim] = blocksOf('docs/guides/from-python.md', 'py').filter((block) => block.includes('SharpAPI'));
    const asks = shim!
      .replace('sk_test_…', env['OVERROUND_KEY']!)
      .replace('http://127.0.0.1:8080', env['OVERROUND_URL']!);
    const same = await run(python, ['-c', `${asks}\nprint(len(client.odds.get(limit=3).data))`], { env });
    assert.equal(same.stdout, '3\n');
    // How both pages begin, after `pip install`, which is tested above.
    for (const page of ['docs/guides/from-python.md', 'python/README.md']) {
      const [begin] = blocksOf(page, 'sh') as [string];
      const lines = begin.split('\n').filter((line) => !line.startsWith('pip install ./python '));
      assert.equal(lines.length, begin.split('\n').length - 1, page);
      const here = lines
        .join('\n')
        .replace('http://127.0.0.1:8080', env['OVERROUND_URL']!)
        .replace('sk_test_…', env['OVERROUND_KEY']!)
        .replace(/^python3? /m, `${python} `);
      const shown = (await run('sh', ['-c', here], { env })).stdout.split('\n');
      assert.match(shown[0]!, /^http:\S+: ok, \d+ books$/);
      assert.equal(shown.length, 12, 'its health and ten rows');
    }
  });

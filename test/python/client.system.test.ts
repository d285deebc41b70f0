// The Python client's own tests (python/tests) against a server here, under each Python that is there; and its wheel, which
// installs without a network.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import type { Feed } from '../../src/intake/feeds/feed.js';
import { simFeed } from '../../src/intake/feeds/sim/feed.js';
import { simOptions } from '../../src/intake/feeds/sim/options.js';
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

/** Blocks of a language in a page, in order. */
const blocks = (page: string, language: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block]) => block!,
  );

for (const python of PYTHONS.slice(-1))
  test('the programs of the page "From Python" run one after the other', { skip }, async (t) => {
    const env = await serving(t, [simFeed(simOptions({ seed: 7, books: 12, events: 40, rate: 200 }), catalogue)]);
    const asked = `${env['OVERROUND_URL']}/api/v1/odds/best?sport=basketball&market=moneyline`;
    const headers = { 'x-api-key': env['OVERROUND_KEY']! };
    await until('the simulated market has prices', async () =>
      (await (await fetch(asked, { headers })).text()).includes('"best_book"'),
    );
    const hasPandas = spawnSync(python, ['-c', 'import pandas']).status === 0;
    const programs = blocks('docs/guides/from-python.md', 'python').filter(
      (program) => hasPandas || !program.includes('to_pandas'),
    );
    assert.ok(programs.length >= 5);
    const { stdout } = await run(python, ['-c', programs.join('\n')], { env });
    assert.match(stdout, /^\d+ prices above fair$/m);
    assert.match(stdout, /^ok \d+$/m);
    assert.match(stdout, /^404 not_found /m);
  });

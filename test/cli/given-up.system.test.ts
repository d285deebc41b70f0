// A disk that refuses the one page that completes a commit: LMDB is unusable from then on, in any thread of the
// process.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Program } from '../../torture/program.js';
import { SystemFaults } from '../../torture/shim.js';
import { event, message, moneyline } from '../intake/ingest/messages.js';
import { eventually, until } from '../support/until.js';
import { newFolder } from '../temp-folders.js';

for (const fronts of [0, 1])
  test(`the ${fronts === 0 ? 'program' : 'engine beside fronts'} ends with one line if LMDB cannot use a store any more, and restarts with everything acknowledged`, async (t) => {
    const folder = newFolder();
    const system = SystemFaults.build('torture/shim.c', folder);
    if (system === null) return t.skip('there is no C compiler here');
    const onLine: string[] = [];
    const program = await Program.make({
      dataDir: join(folder, 'data'),
      fronts,
      env: system.env,
      complain: (line) => onLine.push(line),
      onLine: (line) => onLine.push(line),
    });
    t.after(async () => {
      if (program.running) await program.kill();
      system.close();
    });
    const key = program.key('enterprise', '--scope', 'ingest');
    await program.start();
    const post = async (home: number): Promise<number> => {
      const body = JSON.stringify(message([event([moneyline(home, -130)])], { polled_at: new Date().toISOString() }));
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      return (await fetch(`${program.url}/api/v1/ingest`, { method: 'POST', headers, body })).status;
    };
    const prices = async (): Promise<number[]> => {
      const response = await fetch(`${program.url}/api/v1/odds`, { headers: { 'x-api-key': key } });
      return ((await response.json()) as { data: { odds_american: number }[] }).data.map((row) => row.odds_american);
    };
    const said = (): string | undefined => onLine.findLast((line) => line.includes('overround: the disk refused'));
    assert.equal(await post(110), 200);
    assert.deepEqual((await prices()).sort(), [-130, 110]);
    const gone = program.gone();
    system.set('headFails', 1);
    const statuses = new Set<number | null>();
    const endMs = performance.now() + 60_000;
    while ((fronts === 0 ? program.running : said() === undefined) && performance.now() < endMs)
      statuses.add(await post(125).catch(() => null));
    // Null if it was killed because threads of LMDB delayed its exit.
    if (fronts === 0) assert.ok([1, null].includes(await gone));
    for (const status of statuses) assert.ok([null, 503, 507].includes(status), `answered ${status}`);
    // What it wrote last may be read after its end is known.
    assert.match(
      await until('what it says', said),
      /overround: the disk refused a commit, and the store cannot be used until .*MDB_PANIC/,
    );
    // The lmdb package prints the error of a write that nothing awaits.
    const stack = onLine.filter((line) => /(^|") {4}at /.test(line) && !line.includes('node_modules/lmdb'));
    assert.deepEqual(stack, [], 'no stack beside it');
    system.set('headFails', 0);
    if (fronts === 0) await program.start();
    else await eventually(async () => (await post(110)) === 200);
    assert.deepEqual((await prices()).sort(), [-130, 110]);
    assert.equal(await post(125), 200);
    assert.deepEqual((await prices()).sort(), [-130, 125]);
  });

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAccounts } from '../../src/accounts/accounts.js';
import { ManualClock, systemClock } from '../../src/base/model/clock.js';
import { anySimulated, makeFeeds } from '../../src/cli/feeds.js';
import { type CommandHandlers, runProgram } from '../../src/cli/program.js';
import { record } from '../../src/cli/record.js';
import { type FlagValues, parseConfig, SETTINGS, type Setting } from '../../src/config/config.js';
import { loadCatalogue } from '../../src/rules/catalogue/load.js';
import { takeDirectory } from '../../src/store/held-odds.js';
import { specIn } from '../intake/feeds/access.js';
import { newFolder } from '../temp-folders.js';

const clock = new ManualClock(Date.UTC(2026, 10, 20, 18));

async function run(args: string[], env: Record<string, string> = {}) {
  const calls: unknown[][] = [];
  let out = '';
  let err = '';
  const note =
    (name: keyof CommandHandlers) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
    };
  const handlers: CommandHandlers = {
    serve: note('serve'),
    replay: note('replay'),
    results: note('results'),
    backtest: note('backtest'),
    import: note('import'),
    export: note('export'),
    backup: note('backup'),
    sink: note('sink'),
    record: note('record'),
    simulate: async (...given) => {
      calls.push(['simulate', ...given]);
      return 7;
    },
  };
  const code = await runProgram(args, {
    handlers,
    env,
    clock,
    version: '9.8.7',
    command: 'npx overround',
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { calls, out, err, code };
}

test('a list without a name is refused: it would filter everything out, or nothing', async () => {
  const sink = ['sink', 'ndjson:-', '--from', 'http://127.0.0.1:1', '--key', 'k'];
  for (const command of [['export', '--data', 'd', '--out', '-'], ['backtest', 'f'], sink]) {
    const option = command[0] === 'backtest' ? '--books' : '--sportsbook';
    for (const list of ['', ' ', ',', ' , '])
      for (const given of [list, `fanduel|${list}`]) {
        const { calls, err, code } = await run([...command, ...given.split('|').flatMap((one) => [option, one])]);
        assert.deepEqual([calls, code], [[], 1], given);
        assert.match(err, /It must name at least one\./);
      }
    const { calls } = await run([...command, option, 'fanduel,', option, ' betmgm']);
    assert.equal(calls.length, 1);
  }
});

test('serve hands its flags on, as the settings read them', async () => {
  const { calls, code } = await run([
    'serve',
    '--port',
    '0',
    '--feed',
    'sim:seed=7',
    '--feed=none',
    '--log-retention',
    '60',
  ]);
  assert.equal(code, 0);
  assert.deepEqual(calls, [['serve', { port: '0', feed: ['sim:seed=7', 'none'], 'log-retention': '60' }]]);
});

test('every setting with a flag is a flag of serve', async () => {
  for (const { flag } of SETTINGS as readonly Setting[]) {
    if (flag === undefined) continue;
    const { calls, err } = await run(['serve', `--${flag}`, 'x']);
    assert.equal(err, '');
    assert.deepEqual(Object.keys(calls[0]![1] as object), [flag]);
  }
});

test('an unknown flag, command or missing value ends with one line that names it', async () => {
  for (const [args, named] of [
    [['serve', '--prot', '1'], /--prot'.*Did you mean --port\?/],
    [['serve', '--log-retenton', '1'], /Did you mean --log-retention\?/],
    [['serve', '--nothing-like-it', '1'], /--nothing-like-it'$/m],
    [['serve', '--port'], /--port/],
    [['serve', 'extra'], /argument/],
    [['surve'], /surve/],
    [['keys', 'create'], /--tier/],
    [['keys', 'create', '--tier', 'gold'], /gold/],
    [['backtest', 'f', '--min-ev', 'much'], /much/],
    [['replay', 'f', '--url', 'u'], /--key/],
  ] as const) {
    const { code, err, calls } = await run([...args]);
    assert.equal(code, 1, args.join(' '));
    assert.match(err, named);
    assert.deepEqual(calls, []);
  }
});

test('a bad setting found later ends the same way', async () => {
  const handlers = {
    serve: async () => void parseConfig({ port: 'x' }, {}),
  } as unknown as CommandHandlers;
  let err = '';
  const write = (text: string) => {
    err += text;
  };
  const context = { handlers, env: {}, clock, version: '1', command: 'overround', out: write, err: write };
  assert.equal(await runProgram(['serve'], context), 1);
  assert.equal(err, 'overround: --port must be a whole number from 0 to 65535, not "x"\n');
  handlers.serve = () => Promise.reject(new TypeError('a bug'));
  await assert.rejects(runProgram(['serve'], context), /a bug/);
});

test('without arguments it says how to begin, with commands that it understands', async () => {
  const { out, code } = await run([]);
  assert.equal(code, 0);
  const lines = [...out.matchAll(/^ {2}npx overround (.+)$/gm)].map(([, line]) => line!.split(/\s+/));
  assert.deepEqual(
    lines.map(([name]) => name),
    ['serve', 'serve', 'keys'],
  );
  for (const line of lines.slice(0, 2)) assert.equal((await run(line)).code, 0, line.join(' '));
  assert.match(out, /9\.8\.7[\s\S]*\/dashboard[\s\S]*\/docs[\s\S]*--help/);
});

test('--help lists every setting and --version prints the version', async () => {
  for (const args of [['--help'], ['serve', '--help']]) {
    const { out, code } = await run(args);
    assert.equal(code, 0);
    for (const { env, flag } of SETTINGS as readonly Setting[]) {
      assert.ok(out.includes(env) && (flag === undefined || out.includes(`--${flag}`)), `${args} ${env}`);
    }
  }
  assert.deepEqual(await run(['--version']), { calls: [], out: '9.8.7\n', err: '', code: 0 });
});

test('the examples of --help are command lines that make sense', async () => {
  for (const command of ['serve', 'record', 'replay', 'backtest', 'keys create']) {
    const { out } = await run([...command.split(' '), '--help']);
    const examples = [...out.matchAll(/^ {2}overround (\S.*?)(?: {2,}\(.*)?$/gm)].map(([, line]) => line!.split(' '));
    assert.ok(examples.length > 0, command);
    for (const args of examples.filter(([name]) => name !== 'keys')) {
      const { code, err, calls } = await run(args);
      assert.deepEqual([code, err, calls.length], [0, '', 1], args.join(' '));
      const settings = calls[0]!.at(-1) as FlagValues;
      if (args[0] === 'serve')
        for (const feed of parseConfig(settings, {}).feeds.filter((each) => each !== 'none')) specIn(feed);
    }
  }
});

test('replay, backtest and record get their flags as numbers and lists', async () => {
  assert.deepEqual((await run(['replay', 'f', '--url', 'http://a', '--key', 'k', '--speed', '60'])).calls, [
    ['replay', 'f', { url: 'http://a', key: 'k', speed: 60 }],
  ]);
  assert.deepEqual((await run(['backtest', 'f', '--min-ev', '-1', '--books', 'a, b', '--tier', 'pro'])).calls, [
    [
      'backtest',
      'f',
      { minEv: -1, minProfit: 0.5, maxHold: 5, minSize: 0.5, books: ['a', 'b'], tier: 'pro', groupBy: 'sportsbook' },
    ],
  ]);
  assert.deepEqual((await run(['record', '--out', 'o', '--feed', 'sim'])).calls, [
    ['record', { out: 'o' }, { feed: ['sim'] }],
  ]);
  assert.deepEqual((await run(['record', '--out', '-', '--feed', 'sim'])).calls, [['record', {}, { feed: ['sim'] }]]);
});

test('record takes and shows the settings that it heeds, and no others', async () => {
  const { out } = await run(['record', '--help']);
  for (const taken of ['--feed <value>', '--depth <value>', '--catalogue <value>', '--log <value>', 'KALSHI_URL'])
    assert.ok(out.includes(taken), taken);
  for (const other of ['--port', '--history', 'ALERT_HOSTS', '--cluster']) assert.ok(!out.includes(other), other);
  const { code, err } = await run(['record', '--feed', 'sim', '--workers', '1']);
  assert.equal(code, 1);
  assert.match(err, /'--workers' \(it is a setting of serve\)/);
});

test('keys are created, listed and revoked, and shown only on creation', async () => {
  const data = newFolder();
  const flags =
    '--name desk --streaming --feature low_hold --scope ingest --max-streams 3 --requests-per-minute 9000'.split(' ');
  const made = await run(['keys', 'create', '--tier', 'pro', '--data', data, ...flags]);
  const note = `overround: no server has used ${data} yet: the key is for one that is started with --data ${data}`;
  assert.ok(made.err.startsWith(note), made.err);
  const { id, key, tier } = JSON.parse(made.out) as Record<string, string>;
  assert.deepEqual(Object.keys(JSON.parse(made.out)), ['id', 'key', 'tier']);
  assert.equal(tier, 'pro');
  const listed = await run(['keys', 'list'], { DATA_DIR: data, PORT: 'bad, but not ours' });
  const shown = JSON.parse(listed.out) as Record<string, unknown>;
  assert.deepEqual(
    { ...shown, account: '', masked: '' },
    {
      id,
      account: '',
      name: 'desk',
      tier: 'pro',
      masked: '',
      features: ['low_hold'],
      streaming: true,
      scopes: ['read', 'ingest'],
      maxStreams: 3,
      requestsPerMinute: 9000,
      is_active: true,
      created_at: '2026-11-20T18:00:00.000Z',
      updated_at: '2026-11-20T18:00:00.000Z',
    },
  );
  assert.ok(!listed.out.includes(key!));
  const revoked = await run(['keys', 'revoke', id!, '--data', data]);
  assert.deepEqual(JSON.parse(revoked.out), { id, revoked: true });
  const again = openAccounts(data, clock);
  assert.equal(again.authenticate(key!), undefined);
  await again.close();
});

test('a key is created with a streaming trial, and listed with its end', async () => {
  const data = newFolder();
  const made = await run(['keys', 'create', '--tier', 'hobby', '--trial-hours', '36', '--data', data]);
  assert.equal(made.code, 0);
  const shown = JSON.parse((await run(['keys', 'list', '--data', data])).out) as Record<string, unknown>;
  assert.deepEqual([shown['trial_ends_at'], shown['streaming']], ['2026-11-22T06:00:00.000Z', true]);
  const both = await run(['keys', 'create', '--tier', 'pro', '--streaming', '--trial-hours', '36', '--data', data]);
  assert.deepEqual([both.code, both.out], [1, '']);
  assert.match(both.err, /^overround: .*can have no trial\n$/);
});

test('a key made with what no key of its tier has comes with a note', async () => {
  const data = newFolder();
  const noted = async (...flags: string[]) => {
    const { code, out, err } = await run(['keys', 'create', '--data', data, ...flags]);
    assert.equal(code, 0);
    assert.match(out, /"key":"sk_live_/);
    return err;
  };
  assert.match(
    await noted('--tier', 'hobby', '--feature', 'low_hold'),
    /^overround: --feature low_hold has no effect: it needs the pro tier\n/,
  );
  for (const flags of [['--streaming'], ['--max-streams', '2']])
    assert.match(await noted('--tier', 'free', ...flags), /^overround: --\S+ has no effect: it needs the hobby tier\n/);
  assert.doesNotMatch(await noted('--tier', 'pro', '--feature', 'low_hold', '--streaming'), /no effect/);
});

test('revoking an unknown key, or creating an invalid one, fails with one line', async () => {
  const data = join(newFolder(), 'data');
  for (const command of [['list'], ['revoke', 'key_x']]) {
    const { code, err } = await run(['keys', ...command, '--data', data]);
    assert.deepEqual([code, err], [1, `overround: ${data} has no keys (keys create makes one)\n`]);
  }
  assert.equal(existsSync(data), false, 'a mistyped directory is not created');
  await run(['keys', 'create', '--tier', 'pro', '--data', data]);
  const account = await run(['keys', 'create', '--tier', 'pro', '--account', 'acc_x', '--data', data]);
  assert.deepEqual([account.code, account.err], [1, 'overround: there is no account acc_x (keys list shows them)\n']);
  const unknown = await run(['keys', 'revoke', 'key_x', '--data', data]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /^overround: there is no key key_x.*\n$/);
  const impossible = await run(['keys', 'create', '--tier', 'pro', '--feature', 'fly', '--data', data]);
  assert.equal(impossible.code, 1);
  assert.match(impossible.err, /^overround: feature must be one of .*\n$/);
});

test('simulate takes what a server and a backtest take of prices, bets and history', async () => {
  const flags = ['--fx', 'GBP=1.3', '--commission', 'betfair=0.02', '--catalogue', 'mine', '--bet-delay', 'betfair=5'];
  const more = ['--paper-max', '50', '--history', '30'];
  const { calls } = await run(['simulate', 'night.ndjson', ...flags, ...more, '--', 'node', 'bot.js', '--fx', 'x']);
  const [name, file, command, , settings] = calls[0]!;
  assert.deepEqual([name, file, command], ['simulate', 'night.ndjson', ['node', 'bot.js', '--fx', 'x']]);
  assert.deepEqual(settings, {
    fx: ['GBP=1.3'],
    commission: ['betfair=0.02'],
    catalogue: 'mine',
    'bet-delay': ['betfair=5'],
    'paper-max': '50',
    history: '30',
  });
  const help = (await run(['simulate', '--help'])).out;
  for (const flag of ['--fx', '--commission', '--catalogue', '--bet-delay', '--paper-max', '--history'])
    assert.ok(help.includes(`${flag} <value>`), flag);
  const foreign = await run(['simulate', 'night.ndjson', '--port', '1', '--', 'node', 'bot.js']);
  assert.match(foreign.err, /unknown option '--port' \(it is a setting of serve\)/);
});

test('without --data keys are those of ./data, or of the simulated market where only it has some, which is said', async (t) => {
  const before = process.cwd();
  process.chdir(newFolder());
  t.after(() => process.chdir(before));
  await (await takeDirectory('data-simulated', true))();
  await run(['keys', 'create', '--tier', 'free', '--data', './data-simulated']);
  const simulated = await run(['keys', 'list']);
  assert.deepEqual(
    [simulated.code, simulated.err],
    [0, 'overround: using ./data-simulated, as ./data has no keys (--data says which)\n'],
  );
  assert.equal(existsSync('data'), false);
  await run(['keys', 'create', '--tier', 'pro', '--data', './data']);
  const real = await run(['keys', 'list']);
  assert.deepEqual([real.err, JSON.parse(real.out).tier], ['', 'pro']);
});

test('a bad data directory fails with one line', async () => {
  const { code, err } = await run(['keys', 'list', '--data', '']);
  assert.deepEqual([code, err], [1, 'overround: --data must be a directory, not ""\n']);
});

test('a flag that would have no effect is refused with one line', async () => {
  const parsed = (flags: FlagValues, env = {}): unknown => parseConfig(flags, env);
  for (const role of ['engine', 'front'])
    assert.throws(() => parsed({ role }), {
      message: `--role ${role} (ROLE) needs --cluster: a process alone is engine and front at once`,
    });
  assert.throws(() => parsed({}, { ROLE: 'front' }), /--role front \(ROLE\) needs --cluster/);
  assert.throws(() => parsed({ 'cluster-name': 'ours' }), /--cluster-name needs --cluster/);
  parsed({ role: 'front', 'cluster-name': 'ours', cluster: 'nats://localhost' });
  parsed({ role: 'all' });
  for (const [flags, err] of [
    ['--group-by edge', '--group-by has no effect without --clv'],
    ['--clv --min-profit 1', '--min-profit has no effect with --clv'],
    ['--clv --max-hold 1', '--max-hold has no effect with --clv'],
    ['--min-size 1 --clv', '--min-size has no effect with --clv'],
  ]) {
    const { code, err: said, calls } = await run(['backtest', 'polls.ndjson', ...flags!.split(' ')]);
    assert.deepEqual([code, said, calls], [1, `overround: ${err}\n`, []]);
  }
  assert.equal((await run(['backtest', 'polls.ndjson', '--clv', '--group-by', 'edge', '--min-ev', '1'])).code, 0);
});

test('a recording of the simulated market says so, and counts as simulated where it is replayed', async () => {
  const lines: string[] = [];
  let end: (signal: string) => void = () => undefined;
  await record(undefined, parseConfig({ feed: ['sim:events=2'], log: 'silent' }, {}), {
    clock: systemClock,
    env: {},
    write: async (text) => {
      lines.push(text);
      end('SIGTERM');
    },
    err: () => undefined,
    onSignal: (given) => {
      end = given;
    },
  });
  const file = join(newFolder(), 'market.ndjson');
  writeFileSync(file, lines.join(''));
  const config = parseConfig({ feed: [`replay:${file},speed=60`] }, {});
  assert.deepEqual([config.dataDir, await anySimulated(config)], ['./data', true]);
  const [feed] = await makeFeeds(config, loadCatalogue(), {});
  assert.equal(feed!.simulated, true);
  const { simulated, ...message } = JSON.parse(lines[0]!.split('\n')[0]!);
  assert.equal(simulated, true);
  writeFileSync(file, JSON.stringify(message));
  assert.equal(await anySimulated(config), false, 'a recording that does not say so is of real odds');
});

test('a recording that cannot be written ends with one line, where feeds would try again forever', async () => {
  const recording = record(undefined, parseConfig({ feed: ['sim:events=2'], log: 'silent' }, {}), {
    clock: systemClock,
    env: {},
    write: () => Promise.reject(new Error('ENOSPC: no space left on device, write')),
    err: () => undefined,
    onSignal: () => undefined,
  });
  await assert.rejects(recording, { message: 'the output cannot be written: ENOSPC: no space left on device, write' });
});

test('simulate hands on the command behind --, and ends with its exit code', async () => {
  const line = ['simulate', 'night.ndjson', '--bankroll', '500', '--lockstep', '--', 'node', 'bot.js', '--json'];
  const { calls, code } = await run(line);
  assert.deepEqual(
    [calls, code],
    [[['simulate', 'night.ndjson', ['node', 'bot.js', '--json'], { bankroll: 500, lockstep: true }, {}]], 7],
  );
  assert.match((await run(['simulate', 'x', '--speed', '2', '--lockstep', '--', 'node'])).err, /--speed has no effect/);
});

test('a list that is given several times has all its values, on every command and in every setting', async () => {
  const lists = ['--league', 'nba,nfl', '--league', 'mlb', '--sport', 'basketball', '--sport', 'football'];
  const more = ['--sportsbook', 'betmgm', '--sportsbook', 'fanduel', '--market', 'h2h', '--market', 'totals'];
  const all = {
    league: ['nba', 'nfl', 'mlb'],
    sport: ['basketball', 'football'],
    sportsbook: ['betmgm', 'fanduel'],
    market: ['h2h', 'totals'],
  };
  const ofExport = await run(['export', '--data', 'd', '--out', 'f', ...lists, ...more]);
  assert.deepEqual(ofExport.calls, [['export', { data: 'd', out: 'f', ...all }]]);
  const ofSink = await run([
    'sink',
    'ndjson:-',
    '--from',
    'u',
    '--key',
    'k',
    ...lists,
    ...more,
    '--event',
    'a',
    '--event',
    'b',
  ]);
  const { name: _, schema: __, every: ___, ...given } = ofSink.calls[0]![2] as Record<string, unknown>;
  assert.deepEqual(given, { from: 'u', key: 'k', ...all, event: ['a', 'b'] });
  const ofBacktest = await run(['backtest', 'r', '--books', 'pinnacle', '--books', 'betmgm']);
  assert.deepEqual((ofBacktest.calls[0]![2] as { books: unknown }).books, ['pinnacle', 'betmgm']);
  const ofImport = await run([
    'import',
    'x',
    '--out',
    'f',
    '--map',
    'kickoff=event_start_time',
    '--map',
    'price=odds_decimal',
  ]);
  const { columns } = ofImport.calls[0]![2] as { columns: ReadonlyMap<string, string> };
  assert.deepEqual(
    [...columns],
    [
      ['event_start_time', 'kickoff'],
      ['odds_decimal', 'price'],
    ],
  );
  const hosts = ['a.example', 'b.example,c.example'];
  const settings = ['alert-hosts', 'deeplink-fallback-hosts', 'result-sources'];
  const { calls } = await run(['serve', ...settings.flatMap((flag) => hosts.flatMap((host) => [`--${flag}`, host]))]);
  const { alertHosts, deeplinkFallbackHosts, resultSources } = parseConfig(calls[0]![1] as FlagValues, {});
  const three = ['a.example', 'b.example', 'c.example'];
  assert.deepEqual([[...alertHosts], [...deeplinkFallbackHosts], resultSources], [three, three, three]);
});

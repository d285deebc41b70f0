// Servers that authenticate: users, credentials of an operator's accounts, TLS with a private CA. The commands test
// what works; a refusal must end in one line that says what is wrong.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectCluster, type NatsOptions } from '../../../src/replication/nats/nats.js';
import { NatsUnavailable } from '../../../src/replication/nats/retries.js';
import { startNats, WITHOUT_NATS } from '../../support/nats-server.js';
import { newFolder } from '../../temp-folders.js';
import { makeCredentials } from './nats-credentials.js';

const MAIN = join(process.cwd(), 'dist/src/main.js');
const WITHOUT_OPENSSL = spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not installed';
const PASSWORD = 'not-to-be-told';

interface Ended {
  code: number;
  out: string;
  err: string;
}

function overround(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { env, timeout: 300_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err }),
    );
  });
}

/** Checked with the command that creates a key, which connects, uses JetStream and reads the cluster's state. */
async function works(url: string, env: Record<string, string>): Promise<void> {
  const { code, out, err } = await overround(['keys', 'create', '--cluster', url, '--tier', 'pro'], env);
  assert.deepEqual([code, out, err], [1, '', 'overround: no engine of this cluster has been started yet\n']);
}

/** The error with which a connection is refused, long before the retries end. */
async function refused(options: Omit<NatsOptions, 'servers' | 'clusterName' | 'connectionName'> & { url: string }) {
  const { url, ...rest } = options;
  let text = '';
  await assert.rejects(
    connectCluster({ servers: [url], clusterName: 'overround', connectionName: 'test', ...rest }, null),
    (error: Error) => {
      assert.ok(error instanceof NatsUnavailable, error.stack);
      text = error.message;
      return true;
    },
  );
  assert.doesNotMatch(text, new RegExp(`\n|${PASSWORD}`));
  return text;
}

test('user and password of the environment are accepted by servers that require them; wrong ones end the start with one line', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const folder = newFolder();
  const config = join(folder, 'nats.conf');
  writeFileSync(config, `authorization { users: [ { user: odds, password: "${PASSWORD}" } ] }\n`);
  const [{ url } = { url: '' }] = await startNats(t, 1, ['-c', config]);
  await works(url, { NATS_USER: 'odds', NATS_PASSWORD: PASSWORD });
  const serve = ['serve', '--cluster', url, '--data', join(folder, 'data'), '--port', '0', '--feed', 'none'];
  const { code, out, err } = await overround(serve, { NATS_USER: 'odds', NATS_PASSWORD: 'another' });
  assert.deepEqual([code, out], [1, '']);
  assert.equal(
    err,
    'overround: the NATS servers refuse these credentials (NATS_CREDS, or NATS_USER and NATS_PASSWORD): Authorization Violation\n',
  );
  assert.match(await refused({ url }), /^the NATS servers refuse these credentials/);
  assert.match(
    await refused({ url: url.replace('nats:', 'tls:'), user: 'odds', password: PASSWORD, patienceMs: 300 }),
    /tls/,
  );
});

test('a user without a permission ends the start at once with the name of that permission', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const config = join(newFolder(), 'nats.conf');
  const all = '["overround.>", "_INBOX.>", "$JS.API.>", "$KV.overround-state.>", "$O.overround-snapshots.>"]';
  const user = (name: string, publish: string, subscribe: string): string =>
    `{ user: ${name}, password: "${PASSWORD}", permissions: { publish: ${publish}, subscribe: ${subscribe} } }`;
  const users = [
    user('whole', all, all),
    user('dumb', '{ allow: ">", deny: "overround.>" }', all),
    user('deaf', all, '"_INBOX.>"'),
    user('unanswered', all, '"overround.>"'),
    user('without', '{ allow: ">", deny: "$JS.API.>" }', all),
  ];
  writeFileSync(config, `authorization { users: [ ${users.join(', ')} ] }\n`);
  const [{ url } = { url: '' }] = await startNats(t, 1, ['-c', config]);
  await works(url, { NATS_USER: 'whole', NATS_PASSWORD: PASSWORD });
  for (const [name, lacks] of [
    ['dumb', /Publish to "overround\.check"/],
    ['deaf', /Subscription to "overround\.>"/],
    ['unanswered', /Subscription to "_INBOX\./],
    ['without', /Publish to "\$JS\.API\./],
  ] as const) {
    const text = await refused({ url, user: name, password: PASSWORD });
    assert.match(text, /^the NATS user lacks a right that a cluster needs \(docs\/guides\/cluster\.md lists them\): /);
    assert.match(text, lacks);
  }
});

test('a file of credentials opens servers of its operator; another, a damaged or a missing one is refused at once', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const folder = newFolder();
  const made = makeCredentials();
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const [{ url } = { url: '' }] = await startNats(t, 1, ['-c', file('nats.conf', made.serverConfig)]);
  await works(url, { NATS_CREDS: file('odds.creds', made.credentials) });
  const strangers = file('other.creds', makeCredentials().credentials);
  assert.match(await refused({ url, credentials: strangers }), /^the NATS servers refuse these credentials/);
  const damaged = file('damaged.creds', made.credentials.slice(0, 200));
  assert.match(await refused({ url, credentials: damaged }), /damaged\.creds .* unable to parse credentials$/);
  assert.match(await refused({ url, credentials: join(folder, 'none.creds') }), /none\.creds .* ENOENT/);
});

test('a private CA is trusted if NODE_EXTRA_CA_CERTS names it, and only then', {
  skip: WITHOUT_NATS || WITHOUT_OPENSSL,
}, async (t) => {
  const folder = newFolder();
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => {
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const { status, stderr } = spawnSync('openssl', [...made, ...args], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  openssl('-keyout', at('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=test CA');
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-addext', 'basicConstraints=critical,CA:FALSE'];
  const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  openssl('-keyout', at('nats.key'), '-out', at('nats.pem'), ...named, ...signed);
  const config = at('nats.conf');
  writeFileSync(config, `tls { cert_file: "${at('nats.pem')}", key_file: "${at('nats.key')}" }\n`);
  const [{ url } = { url: '' }] = await startNats(t, 1, ['-c', config]);
  const tls = url.replace('nats:', 'tls:');
  await works(tls, { NODE_EXTRA_CA_CERTS: at('ca.pem') });
  assert.match(await refused({ url: tls }), /certificate is not trusted .*NODE_EXTRA_CA_CERTS/);
});

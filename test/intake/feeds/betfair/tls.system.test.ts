// The login by certificate and the stream over TLS, with certificates made for the test. A process reads its trusted
// certificates at its start, so the feed's side runs in one of its own.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'no openssl';

const CLIENT = `
  const { postForm } = await import(process.env.SESSION);
  const { dialStream } = await import(process.env.TRANSPORT);
  const { readFileSync } = await import('node:fs');
  const read = (name) => readFileSync(process.env.DIR + '/' + name, 'utf8');
  const signal = new AbortController().signal;
  const url = new URL(process.env.LOGIN);
  const login = (certificate) => postForm(url, 'username=a', { headers: {}, certificate, timeoutMs: 10000, signal });
  const { text } = await login({ cert: read('client.pem'), key: read('client.key') });
  const refused = await login(undefined).then(() => 'let in', () => 'refused');
  const transport = dialStream({ host: 'localhost', port: Number(process.env.PORT), tls: true })({
    opened: () => transport.send('{"op":"authentication"}'),
    received: (line) => { console.log(JSON.stringify([text, refused, line])); process.exit(0); },
    alive: () => {},
    ended: ({ reason }) => { console.log(reason); process.exit(1); },
  });
`;

test('a login shows the client certificate, and the stream speaks TLS', { skip }, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'overround-tls-'));
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: dir, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...curve, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=ca', '-days', '2');
  writeFileSync(join(dir, 'names'), 'subjectAltName=DNS:localhost');
  for (const name of ['localhost', 'client']) {
    openssl('req', ...curve, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const ca = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
    openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...ca);
  }
  const read = (name: string) => readFileSync(join(dir, name));
  const server = { key: read('localhost.key'), cert: read('localhost.pem'), ca: read('ca.pem') };
  const login = createHttpsServer({ ...server, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    response.end((request.socket as TLSSocket).getPeerCertificate().subject.CN);
  });
  const stream = createTlsServer(server, (socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => socket.write(data));
  });
  await Promise.all([login, stream].map((each) => new Promise<void>((done) => each.listen(0, '127.0.0.1', done))));
  t.after(() => {
    login.close();
    stream.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const module = (name: string) => new URL(`../../../../src/intake/feeds/betfair/${name}.js`, import.meta.url).href;
  const child = spawn(process.execPath, ['--input-type=module', '-e', CLIENT], {
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: join(dir, 'ca.pem'),
      DIR: dir,
      SESSION: module('session'),
      TRANSPORT: module('stream-part'),
      LOGIN: `https://localhost:${(login.address() as AddressInfo).port}/api/certlogin`,
      PORT: String((stream.address() as AddressInfo).port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (data) => {
    out += String(data);
  });
  await new Promise((done) => child.on('close', done));
  assert.deepEqual(JSON.parse(out), ['client', 'refused', '{"op":"authentication"}']);
});

// Compressed streams as programs of others read them: curl, Python's zlib, Node's fetch, and curl through nginx.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { shared } from '../shared.js';
import { api } from './api.js';
import { HAS_PYTHON, python } from './python-client.js';
import { ladder } from './stream-rig.js';

/** With as many compressed clients ticks are compressed. */
const CLIENTS = 24;
const PYTHON = `
import sys, urllib.request, zlib
request = urllib.request.Request(sys.argv[1], headers={'X-API-Key': sys.argv[2], 'Accept-Encoding': 'gzip'})
with urllib.request.urlopen(request) as answer:
    assert answer.headers['Content-Encoding'] == 'gzip'
    inflate = zlib.decompressobj(31)
    while part := answer.read1(65536):
        sys.stdout.write(inflate.decompress(part).decode())
        sys.stdout.flush()
`;

import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';

const has = (command: string): boolean => spawnSync(command, ['--version']).error === undefined;

/** What a reader was sent, as text. */
interface Reader {
  name: string;
  text: string;
}

const priced = shared(async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 2, -110));
  const key = server.key('enterprise');
  const url = `${server.url}/api/v1/stream/odds?league=nba`;
  const readers: Reader[] = [];
  const children: ChildProcess[] = [];
  const aborting = new AbortController();
  t.after(() => {
    aborting.abort();
    for (const child of children) child.kill();
  });
  const command = (name: string, program: string, args: readonly string[]): Reader => {
    const reader = { name, text: '' };
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    child.stdout!.on('data', (part: Buffer) => (reader.text += part.toString()));
    return reader;
  };
  const fetched = async (name: string, coding: string): Promise<Reader> => {
    const reader = { name, text: '' };
    const headers = { 'x-api-key': key, 'accept-encoding': coding };
    const answer = await fetch(url, { headers, signal: aborting.signal });
    assert.equal(answer.headers.get('content-encoding'), coding === 'gzip' ? 'gzip' : null);
    const decoder = new TextDecoder();
    (async () => {
      for await (const part of answer.body!) reader.text += decoder.decode(part as Uint8Array, { stream: true });
    })().catch(() => undefined);
    return reader;
  };
  return { server, key, url, readers, children, command, fetched, t };
});

/** What was sent after the snapshot, without what only keeps a connection alive. */
function ticksOf({ text }: Reader): string {
  const complete = text.indexOf('event: snapshot:complete');
  const end = text.indexOf('\n\n', complete);
  return complete < 0 || end < 0 ? '' : text.slice(end + 2).replaceAll(':\n\n', '');
}

/** Every price changes, so many times, and the reader's ticks are those of a plain stream, ids and all. */
async function sameAsPlain(open: () => Promise<Reader> | Reader): Promise<void> {
  const { server, readers, fetched } = await priced();
  if (readers.length === 0) {
    readers.push(await fetched('plain', 'identity'));
    for (let i = 0; i < CLIENTS; i++) readers.push(await fetched('gzip', 'gzip'));
  }
  const reader = await open();
  await until(`${reader.name}: its snapshot`, () => reader.text.includes('event: snapshot:complete'));
  const before = ticksOf(readers[0]!).length;
  const plain = () => ticksOf(readers[0]!).slice(before);
  for (let change = 0; change < 3; change++) {
    await server.ingest(ladder(++second, 2, -110 - second));
    const ends = plain;
    await until(`change ${change}`, () => ends().split('\nid: evt_').length === change + 2 && ends().endsWith('\n\n'));
  }
  await until(`${reader.name}: its changes`, () => ticksOf(reader).length >= plain().length);
  assert.equal(ticksOf(reader), plain());
}

let second = 1;

test('Node’s fetch reads a compressed stream as a plain one', async () => {
  const { fetched } = await priced();
  await sameAsPlain(() => fetched('fetch', 'gzip'));
});

test('curl --compressed does', { skip: has('curl') ? false : 'curl is not installed' }, async () => {
  const { command, url, key } = await priced();
  await sameAsPlain(() => command('curl', 'curl', ['-sN', '--compressed', '-H', `X-API-Key: ${key}`, url]));
});

test('Python’s zlib does', { skip: has('python3') ? false : 'python3 is not installed' }, async () => {
  const { command, url, key } = await priced();
  await sameAsPlain(() => command('python', 'python3', ['-c', PYTHON, url, key]));
});

/** Frames after the snapshot of both forms, without the number that only plain ones have; those both were sent. */
const BOTH_FORMS = `
import zlib
def plain():
    for payload in ws('channels=odds&league=nba', 'overround.json'): yield json.loads(payload)
def packed():
    inflate, rest = zlib.decompressobj(-15), b''
    for payload in ws('channels=odds&league=nba', 'overround.deflate'):
        assert payload[-4:] == bytes([0, 0, 255, 255])
        *lines, rest = (rest + inflate.decompress(payload)).split(b'\\n')
        for line in lines: yield json.loads(line)
def updates(frames):
    for frame in frames:
        numbered = frame.pop('seq', None) is not None
        if frame['type'] == 'odds:update': yield numbered, frame
both = [plain(), packed()]
for frames in both:
    while next(frames)['type'] != 'snapshot:complete': pass
both = [updates(frames) for frames in both]
found = [{}, {}]
while len(found[0].keys() & found[1].keys()) < 3:
    for form in 0, 1:
        numbered, frame = next(both[form])
        assert numbered == (form == 0)
        found[form][frame['global_seq']] = frame
print(json.dumps([[frames[at] for at in sorted(found[0].keys() & found[1].keys())] for frames in found]))
`;

test('Python’s zlib reads a compressed WebSocket as a plain one', {
  skip: HAS_PYTHON ? false : 'python3 is not installed',
}, async () => {
  const { server, key } = await priced();
  let ended = false;
  const reading = python(Number(new URL(server.url).port), key, BOTH_FORMS).finally(() => {
    ended = true;
  });
  reading.catch(() => undefined);
  while (!ended) {
    await server.ingest(ladder(++second, 2, -110 - second));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [plain, packed] = (await reading) as [object[], object[]];
  assert.ok(plain.length >= 3);
  assert.deepEqual(packed, plain);
});

const nginx = has('nginx') ? 'nginx' : has('/usr/sbin/nginx') ? '/usr/sbin/nginx' : undefined;

test('and nginx without buffers hands it on', {
  skip: nginx === undefined ? 'nginx is not installed' : !has('curl'),
}, async () => {
  const { command, url, key, children, t } = await priced();
  const folder = mkdtempSync(join(tmpdir(), 'overround-nginx-'));
  const port = await freePort();
  const { host, pathname, search } = new URL(url);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; events {}
http {
  access_log off; ${paths.join(' ')}
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://${host}; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }
  }
}
`,
  );
  const child = spawn(nginx!, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'log')], {
    stdio: 'ignore',
  });
  children.push(child);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const proxied = `http://127.0.0.1:${port}${pathname}${search}`;
  const args = ['-sN', '--compressed', '--retry', '50', '--retry-connrefused', '--retry-delay', '1'];
  await sameAsPlain(() => command('nginx', 'curl', [...args, '-H', `X-API-Key: ${key}`, proxied]));
});

// Starts the control and the peers, each pinned to the server's core. A peer that is not available returns the reason,
// so that it is listed as skipped.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from './load.js';
import { type Child, childrenOf, listening, SERVER_CORE, start, wait } from './process.js';
import { programPath } from './programs.js';
import type { Page } from './servers/serving.js';

const APT_PACKAGES = ['redis-server', 'nginx-light', 'libnginx-mod-nchan'];
const redisServer = programPath('redis-server');
const natsServer = programPath('nats-server');
// Not every user's path has it.
const nginx = programPath('nginx') ?? ['/usr/sbin/nginx'].find(existsSync);
const NCHAN_MODULE = '/usr/lib/nginx/modules/ngx_nchan_module.so';

export interface Peer extends Target {
  name: string;
  /** The bench's own program round a library: it publishes what it is asked to, as often as it is asked to. */
  library: boolean;
  stop(): Promise<void>;
}

export type NodePeer =
  | 'bare-uws'
  | 'gzip-each'
  | 'bare-front'
  | 'bare-cluster'
  | 'node-http'
  | 'fastify'
  | 'ws'
  | 'better-sse';

export async function nodePeer(
  name: NodePeer,
  folder: string,
  pages: readonly Page[] = [],
  args: string[] = [],
  core: number | null = SERVER_CORE,
): Promise<Peer> {
  const file = join(folder, `pages-${name}.json`);
  writeFileSync(file, JSON.stringify(pages.map((page) => ({ ...page, body: page.body.toString() }))));
  const script = fileURLToPath(new URL(`./servers/${name}.js`, import.meta.url));
  return running(name, true, start(process.execPath, [script, file, ...args], core));
}

/** The C floor: one send() a message and client. */
export function floorPeer(folder: string): Promise<Peer> {
  return running('C floor', false, start(join(folder, 'floor'), [], SERVER_CORE));
}

async function running(name: string, library: boolean, child: Child): Promise<Peer> {
  const { port } = await listening(child);
  return { name, library, port, pid: child.pid, stop: () => child.stop() };
}

/** Installs what is missing with apt-get (needs root): only behind --install-peers. */
export function installPeers(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...APT_PACKAGES]])
    execFileSync('apt-get', args, { stdio: 'ignore', env });
}

export function hasRedis(): boolean {
  return redisServer !== undefined;
}

export async function redisPeer(folder: string): Promise<Peer> {
  if (redisServer === undefined) throw new Error('redis-server is not installed');
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = start(redisServer, [...args, '--maxclients', '12000'], SERVER_CORE);
  await wait(300);
  return { name: 'Redis', library: false, port, pid: child.pid, stop: () => child.stop() };
}

export function hasNats(): boolean {
  return natsServer !== undefined;
}

/** One server with JetStream: a stream of one copy. */
export async function natsPeer(folder: string): Promise<Peer> {
  if (natsServer === undefined) throw new Error('nats-server is not installed');
  const port = await freePort();
  const child = start(natsServer, ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', join(folder, 'nats')], null);
  await wait(500);
  return { name: 'NATS', library: false, port, pid: child.pid, stop: () => child.stop() };
}

export function hasNchan(): boolean {
  return nginx !== undefined && existsSync(NCHAN_MODULE);
}

export async function nchanPeer(folder: string): Promise<Peer> {
  if (nginx === undefined) throw new Error('nginx is not installed');
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `load_module ${NCHAN_MODULE};
daemon off; worker_processes 1; user root; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log error;
events { worker_connections 12000; }
http {
  access_log off;
  client_body_buffer_size 256k; client_max_body_size 1m;
  client_body_temp_path ${folder}/nginx-body; proxy_temp_path ${folder}/nginx-proxy;
  fastcgi_temp_path ${folder}/nginx-fastcgi; uwsgi_temp_path ${folder}/nginx-uwsgi; scgi_temp_path ${folder}/nginx-scgi;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    keepalive_requests 1000000;
    location = /publish { nchan_publisher; nchan_channel_id all; nchan_store_messages off; }
    location = /sse { nchan_subscriber eventsource; nchan_channel_id all; nchan_eventsource_ping_comment x; nchan_eventsource_ping_interval 60; }
    location = /ws { nchan_subscriber websocket; nchan_channel_id all; }
  }
}
`,
  );
  const child = start(nginx, ['-p', folder, '-c', file, '-e', `${folder}/nginx.log`], SERVER_CORE);
  for (let tries = 0; childrenOf(child.pid).length === 0 && tries < 40; tries++) await wait(50);
  await wait(100);
  return {
    name: 'nchan',
    library: false,
    port,
    pid: child.pid,
    others: childrenOf(child.pid),
    stop: () => child.stop(),
  };
}

export function hasNginx(): boolean {
  return nginx !== undefined;
}

/** nginx in front of another server, compressing each connection; its CPU time is nginx's alone. */
export async function gzipProxy(folder: string, to: number): Promise<Peer> {
  if (nginx === undefined) throw new Error('nginx is not installed');
  const port = await freePort();
  const file = join(folder, 'gzip-proxy.conf');
  const temporary = ['proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/proxy-${kind};`);
  writeFileSync(
    file,
    `daemon off; worker_processes 1; user root; pid ${folder}/proxy.pid; error_log ${folder}/proxy.log error;
events { worker_connections 12000; }
http {
  access_log off; client_body_temp_path ${folder}/proxy-body; ${temporary.join(' ')}
  gzip on; gzip_types text/event-stream; gzip_proxied any; gzip_min_length 1;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / { proxy_pass http://127.0.0.1:${to}; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }
  }
}
`,
  );
  const child = start(nginx, ['-p', folder, '-c', file, '-e', `${folder}/proxy.log`], SERVER_CORE);
  for (let tries = 0; childrenOf(child.pid).length === 0 && tries < 40; tries++) await wait(50);
  await wait(100);
  return {
    name: 'nginx',
    library: false,
    port,
    pid: child.pid,
    others: childrenOf(child.pid),
    stop: () => child.stop(),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

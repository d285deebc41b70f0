// Several processes: the fronts of one machine; or the cluster that this process belongs to, and its role there.
import { LIMITS } from '../base/model/limits.js';
import { choice, integer, text, word } from './parsers.js';
import type { Setting } from './setting.js';

const ROLES = ['engine', 'front', 'all'] as const;

export const PROCESSES_SETTINGS = [
  {
    name: 'fronts',
    flag: 'fronts',
    env: 'FRONTS',
    default: '0',
    description:
      'number of front processes that share the port and serve the odds of one engine process (Linux only); 0: one process does both',
    parse: integer(0, LIMITS.fronts.max),
  },
  {
    name: 'cluster',
    flag: 'cluster',
    env: 'CLUSTER',
    default: '',
    description:
      'NATS servers through which several processes share one log, as nats://h1:4222,nats://h2:4222 (tls:// for TLS); default: none, a single process',
    repeatable: true,
    parse: servers,
  },
  {
    name: 'role',
    flag: 'role',
    env: 'ROLE',
    default: 'all',
    description: 'with --cluster: engine (ingests and detects), front (serves), or all (both)',
    parse: choice(ROLES),
  },
  {
    name: 'clusterName',
    flag: 'cluster-name',
    env: 'CLUSTER_NAME',
    default: 'overround',
    description: 'with --cluster: name of the cluster; clusters on the same NATS servers need different ones',
    parse: clusterName,
  },
  {
    name: 'natsCreds',
    env: 'NATS_CREDS',
    description: 'with --cluster: file with NATS credentials',
    parse: text('a file'),
  },
  {
    name: 'natsUser',
    env: 'NATS_USER',
    description: 'with --cluster: NATS user',
    parse: word('a name without blanks'),
  },
  {
    name: 'natsPassword',
    env: 'NATS_PASSWORD',
    description: 'with --cluster: NATS password',
    parse: word('a password without blanks'),
  },
] as const satisfies readonly Setting[];

function servers(value: string): string[] {
  const list = value.split(/[,;]/).flatMap((server) => server.trim() || []);
  const good = list.every((server) =>
    /^(?:nats|tls):\/\/[A-Za-z0-9._-]+(?::\d{1,5})?$|^(?:nats|tls):\/\/\[[0-9a-fA-F:]+\](?::\d{1,5})?$/.test(server),
  );
  if (!good) throw new Error('addresses like nats://host:4222 or tls://host:4222, separated by commas');
  return list;
}

function clusterName(value: string): string {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(value)) throw new Error('1 to 32 letters, digits, - or _');
  return value;
}

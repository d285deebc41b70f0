// The command line by which this program can be run again, wherever and however it was started: shown where the next
// step is another of its commands.
import { basename, resolve } from 'node:path';
import type { Config } from '../config/config.js';

export interface OwnStart {
  /** `process.argv[1]` */
  script: string;
  env: Readonly<Record<string, string | undefined>>;
  /** In a container its id. */
  hostname: string;
}

/** `overround`, `node /path/to/main.js` or `docker exec … node …`, for a shell in any directory. */
export function ownCommand({ script, env, hostname }: OwnStart): string {
  const path = resolve(script);
  // Set by our image.
  if (env['OVERROUND_IMAGE'] === '1') return `docker exec ${hostname} node ${quoted(path)}`;
  // npx runs it by that name too, but from a folder that is not on the caller's path.
  const installed = basename(path) === 'overround' && env['npm_command'] !== 'exec';
  return installed ? 'overround' : `node ${quoted(path)}`;
}

/** The command that makes a key for the server with this configuration: one that may stream. */
export function keyCommand(command: string, { cluster, clusterName, dataDir }: Config): string {
  const where =
    cluster.length > 0
      ? `--cluster ${quoted(cluster.join(','))} --cluster-name ${quoted(clusterName)}`
      : `--data ${quoted(resolve(dataDir))}`;
  return `${command} keys create --tier pro --streaming ${where}`;
}

/** As one word of a shell. */
function quoted(text: string): string {
  if (/^[\w./:,@+=\\-]+$/.test(text)) return text;
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

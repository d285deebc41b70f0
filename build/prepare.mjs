// npm runs this after an installation from the sources: with `npm i git+…` nobody else builds the package. Elsewhere
// (`npm ci` in a clone or an image) the build is the next command's, or the sources are not there yet.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// npm prepares a package fetched from git in a folder of its cache.
const fetched = process.env.npm_config_cache !== undefined && process.cwd().startsWith(process.env.npm_config_cache);
if (fetched && existsSync('tsconfig.json') && !existsSync('dist/src/main.js')) {
  const { status } = spawnSync('npm', ['run', '-s', 'build'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exit(status ?? 1);
}

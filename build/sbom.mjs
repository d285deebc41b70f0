// Prints the bill of materials (CycloneDX) of what runs: `npm sbom --omit=dev` leaves out packages that a development
// dependency needs as well, so it is asked about a tree without any.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { devDependencies: _dev, scripts: _scripts, ...manifest } = read('package.json');
const lock = read('package-lock.json');
const packages = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true);
const [[, { devDependencies: _own, ...root }], ...others] = packages;

const scratch = mkdtempSync(join(tmpdir(), 'overround-sbom-'));
try {
  // npm names the program by its folder.
  const folder = join(scratch, manifest.name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const written = { ...lock, packages: Object.fromEntries([['', root], ...others]) };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(written));
  const { status } = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

// An operator's catalogue folders, removed when the process ends: several test files share one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = mkdtempSync(join(tmpdir(), 'overround-catalogue-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));
let folders = 0;

/** A folder with these files; values other than strings are written as JSON. */
export function folder(files: Record<string, unknown>): string {
  const dir = join(root, String(folders++));
  mkdirSync(dir);
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return dir;
}

// A directory for one test, removed after it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ending } from '../shared.js';

export function tempDir(t: Ending): string {
  const path = mkdtempSync(join(tmpdir(), 'overround-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

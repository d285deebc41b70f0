// A directory for one test, removed after it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export function tempDir(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'overround-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

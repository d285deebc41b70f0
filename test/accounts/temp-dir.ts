// A directory for one test, removed when its file's process ends.
import type { Ending } from '../shared.js';
import { newFolder } from '../temp-folders.js';

export function tempDir(_: Ending): string {
  return newFolder('overround-');
}

// The code of a page, as it stands: what tests run.
import { readFileSync } from 'node:fs';

/** Of fenced code of the languages, in order. `sh` is also what the pages call `bash`. */
export function blocksOf(page: string, ...languages: readonly string[]): string[] {
  const fence = languages.map((name) => (name === 'sh' ? '(?:ba)?sh' : name)).join('|');
  return [...readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`(?:${fence})\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block]) => block!,
  );
}

// Run by `npm version X --no-git-tag-version`: what else names the version of package.json is written anew, and what is
// unreleased in the changelog becomes that release's part, with today's date.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Between what stands before it and after it. */
const NAMED: readonly (readonly [file: string, version: RegExp])[] = [
  ['python/pyproject.toml', /(?<=^version = ")[^"]*(?="$)/gm],
  ['python/src/overround/requests.py', /(?<=^VERSION = ")[^"]*(?="$)/gm],
  ['examples/kubernetes/overround.yaml', /(?<=\/overround:)\d[\w.-]*/g],
];

const UNRELEASED = '## [Unreleased]\n';

export const versionOf = (): string =>
  (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;

/** File → its text with the version. Throws for a file that does not name one. */
export function withVersion(version: string): Record<string, string> {
  return Object.fromEntries(
    NAMED.map(([file, pattern]) => {
      const text = readFileSync(file, 'utf8');
      if (text.search(pattern) < 0) throw new Error(`${file} names no version`);
      return [file, text.replaceAll(pattern, version)];
    }),
  );
}

/** The changelog with a part for the version. */
export function released(changes: string, version: string, date: string): string {
  if (changes.includes(`\n## [${version}]`)) return changes;
  if (!changes.includes(UNRELEASED)) throw new Error(`the changelog has no ${UNRELEASED}`);
  return changes.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const version = versionOf();
  for (const [file, text] of Object.entries(withVersion(version))) writeFileSync(file, text);
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync('CHANGELOG.md', released(readFileSync('CHANGELOG.md', 'utf8'), version, date));
}

// The queue of `npm test`: each of its processes takes the next test file until none is left. Most of the time of a short
// test is spent on loading modules, and no core waits at the end. Each file is a suite with its name, so that a failure
// shows the file, and its hooks end with it.
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Limit of one file (ms); the runner's own limit, for the whole process, is higher. */
const FILE_MS_MAX = 900_000;
/** How long after its last file a process may need to end: what a file left open would hold it up forever (ms). */
const END_MS_MAX = 30_000;

/** Made anew by each run: which files were taken, and what ended. */
export const QUEUE = fileURLToPath(new URL('../test-queue/', import.meta.url));

/**
 * The files that ran to their end, one per line with what they took of a processor (s): if a process dies, the file it
 * died in is the one that was taken and did not end.
 */
export const ENDED = join(QUEUE, 'ended.txt');

/** What failed, shown after the runner's totals. */
export const SUMMARY = join(QUEUE, 'summary.txt');

/** True for one process only. */
function taken(name: string): boolean {
  try {
    closeSync(openSync(join(QUEUE, encodeURIComponent(name)), 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param names paths of test files from this folder, without `.test.js`, in the order in which they are taken. */
export async function takeFiles(names: readonly string[]): Promise<void> {
  const open: string[] = [];
  let before = '';
  for (const name of names) {
    if (!taken(name)) continue;
    await run(name);
    const after = openNow();
    if (after !== before) open.push(`${after} after ${name}`);
    before = after;
  }
  const late = setTimeout(() => {
    process.stderr.write(`a test file left open: ${openNow()}; ${open.join('; ')}\n`);
    process.exit(1);
  }, END_MS_MAX);
  late.unref();
}

/** What keeps the process from ending, such as the ports of threads: "MessagePort 2, PipeWrap 2". */
function openNow(): string {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count]) => `${kind} ${count}`)
    .sort()
    .join(', ');
}

/** What this process and its ended children took of a processor (s); without children where there is no /proc. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childrenSeconds();
}

function childrenSeconds(): number {
  let stat: string;
  try {
    stat = readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return 0;
  }
  // After the name in brackets, cutime and cstime in hundredths of a second: proc(5), fields 16 and 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Settles when the file's tests have ended, or have failed to. */
function run(name: string): Promise<void> {
  const before = cpuSeconds();
  return new Promise((ended) => {
    // A suite that is cancelled or cannot be loaded does not call its hooks.
    const cancelled = setTimeout(ended, FILE_MS_MAX + 1_000);
    const end = (): void => {
      clearTimeout(cancelled);
      ended();
    };
    void describe(name, { timeout: FILE_MS_MAX }, async () => {
      after(() => {
        appendFileSync(ENDED, `${name} ${(cpuSeconds() - before).toFixed(1)}\n`);
        end();
      });
      try {
        await import(`./${name}.test.js`);
      } catch (error) {
        end();
        throw error;
      }
    });
  });
}

// A reporter for Node's test runner, beside its own: what failed, with each error, in a few lines that stand at the
// end of a long log.
import type { TestEvent } from 'node:test/reporters';

/** How many lines of an error are shown. */
const ERROR_LINES = 12;
/** How many characters of a line are shown. */
const LINE_MAX = 300;

interface Failure {
  /** Names from the file's to the test's. */
  path: string;
  message: string;
}

/** An error and what caused it, as a property's counterexample and the assertion that it broke. */
function textsOf(error: unknown): string {
  const { message, stack = message, cause } = error instanceof Error ? error : new Error(String(error));
  const lines = stack.split('\n').slice(0, ERROR_LINES);
  const text = lines.map((line) => line.slice(0, LINE_MAX)).join('\n    ');
  return cause === undefined ? text : `${text}\n  caused by:\n    ${textsOf(cause)}`;
}

/** @returns what failed, once the run has ended. */
export default async function* summary(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failures: Failure[] = [];
  /** Names of the suites and tests being reported, by nesting. */
  const names: string[] = [];
  for await (const event of events) {
    if (event.type === 'test:start') {
      names.length = event.data.nesting;
      names.push(event.data.name);
      continue;
    }
    if (event.type !== 'test:fail') continue;
    const { name, nesting } = event.data;
    const { error } = event.data.details;
    // A suite fails because of what is in it, which was told already.
    if (error.message.includes('subtest') && /\d+ subtests? failed/.test(error.message)) continue;
    failures.push({ path: [...names.slice(0, nesting), name].join(' > '), message: textsOf(error.cause ?? error) });
  }
  for (const { path, message } of failures) yield `FAILED ${path}\n    ${message}\n`;
}

// A reporter for Node's test runner, beside its own: what failed, with each error, in a few lines that stand at the
// end of a long log.
import type { TestEvent } from 'node:test/reporters';

/** How many lines of an error are shown. */
const ERROR_LINES = 12;

interface Failure {
  /** Names from the file's to the test's. */
  path: string;
  message: string;
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
    const cause =
      error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : String(error.cause ?? error);
    failures.push({
      path: [...names.slice(0, nesting), name].join(' > '),
      message: cause.split('\n').slice(0, ERROR_LINES).join('\n    '),
    });
  }
  for (const { path, message } of failures) yield `FAILED ${path}\n    ${message}\n`;
}

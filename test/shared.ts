// One server, engine or world for all tests of a file, for tests that use their own keys and games, or only read.
import { after } from 'node:test';

/** What a rig needs of a test: a way to register how it is closed. */
export interface Ending {
  after(close: () => unknown): void;
}

/** Made for the first test that needs it; closed after the last test of the file, in the order of its `after` calls. */
export function shared<Made>(make: (t: Ending) => Promise<Made>): () => Promise<Made> {
  const closings: (() => unknown)[] = [];
  let made: Promise<Made> | undefined;
  after(async () => {
    for (const close of closings) await close();
  });
  return () => {
    made ??= make({ after: (close) => void closings.push(close) });
    return made;
  };
}

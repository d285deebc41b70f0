// One server, engine or world for all tests of a file, if each test uses keys and games of its own, or only reads.
import { after } from 'node:test';

/** What a rig needs of a test: where to say how it is closed. */
export interface Ending {
  after(close: () => unknown): void;
}

/** Made for the first test that asks; closed after the last one of the file, in the order of its `after`. */
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

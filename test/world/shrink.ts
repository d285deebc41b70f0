// Makes a world in which a law is broken as small as it can be.
import type { World } from './world.js';

/** The world without the messages that the violation does not need. */
export function shrunk(world: World, fails: (world: World) => boolean): World {
  let least = world;
  for (let b = world.batches.length - 1; b >= 0; b--)
    for (let p = world.batches[b]!.pushes.length - 1; p >= 0; p--) {
      const batches = least.batches.map((batch, i) =>
        i === b ? { ...batch, pushes: batch.pushes.filter((_, j) => j !== p) } : batch,
      );
      const smaller = { ...least, batches };
      if (fails(smaller)) least = smaller;
    }
  return least;
}

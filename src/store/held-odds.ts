// What a data directory holds: simulated odds or real ones. A directory never has both: made-up prices would be served
// as real, and the simulated market removes what it finds.
import { readIdentity } from './data-directory.js';
import { lockDirectory } from './directory-lock.js';

/** The directory, or the cluster, has odds of the other kind; the message is the line with which the start fails. */
export class OtherOdds extends Error {
  constructor(place: string, simulated: boolean) {
    super(
      simulated
        ? `${place} holds real odds, and the simulated market has to be kept apart from them: give it a directory of its own (--data ./data-simulated), or name other feeds (--feed none, --feed polymarket …)`
        : `${place} holds simulated odds, and real ones have to be kept apart from them: give those a directory of their own (--data ./data), or start with --feed sim`,
    );
    this.name = 'OtherOdds';
  }
}

/**
 * Locks the directory (created if missing) for odds of this kind and returns a function that unlocks it. Rejects if it
 * is in use, with OtherOdds if it holds those of the other kind, and with StorageDamaged.
 */
export async function takeDirectory(path: string, simulated: boolean): Promise<() => Promise<void>> {
  const unlock = await lockDirectory(path);
  try {
    checkHeldOdds(path, simulated);
  } catch (error) {
    await unlock();
    throw error;
  }
  return unlock;
}

function checkHeldOdds(path: string, simulated: boolean): void {
  const identity = readIdentity(path);
  if (identity !== undefined && identity.simulated !== simulated)
    throw new OtherOdds(`the data directory ${path}`, simulated);
}

// What a data directory holds: simulated odds or real ones. A directory never has both: made-up prices would be served
// as real, and the simulated market removes what it finds.
import { readIdentity, writeIdentity } from './data-directory.js';
import { lockDirectory } from './directory-lock.js';
import { earlierMaskedKeys } from './earlier-stores.js';

/** The directory, or the cluster, has odds of the other kind; the message is the line with which the start fails. */
export class OtherOdds extends Error {
  constructor(place: string, simulated: boolean, remark = '') {
    super(
      simulated
        ? `${place} holds real odds, and the simulated market has to be kept apart from them: give it a directory of its own (--data ./data-simulated), or name other feeds (--feed none, --feed polymarket …)${remark}`
        : `${place} holds simulated odds, and real ones have to be kept apart from them: give those a directory of their own (--data ./data), or start with --feed sim${remark}`,
    );
    this.name = 'OtherOdds';
  }
}

/**
 * Locks the directory (created if missing) for odds of this kind and returns a function that unlocks it. Rejects if it
 * is in use, with OtherOdds if it holds those of the other kind, and with StorageDamaged.
 * @param simulated undefined where nothing brings odds by itself: whatever the directory holds
 */
export async function takeDirectory(path: string, simulated: boolean | undefined): Promise<() => Promise<void>> {
  const unlock = await lockDirectory(path);
  try {
    settleHeldOdds(path, simulated);
  } catch (error) {
    await unlock();
    throw error;
  }
  return unlock;
}

function settleHeldOdds(path: string, wanted: boolean | undefined): void {
  const identity = readIdentity(path);
  if (identity === undefined) return;
  const { simulated: stated, ...rest } = identity;
  const held = stated ?? hadTestKeys(path);
  const simulated = wanted ?? held;
  if (held === simulated) {
    if (stated === undefined) writeIdentity(path, { ...rest, simulated });
    return;
  }
  if (stated !== undefined) throw new OtherOdds(`the data directory ${path}`, simulated);
  const other = JSON.stringify({ simulated });
  throw new OtherOdds(
    `the data directory ${path}`,
    simulated,
    `; an earlier release made it: if it holds ${simulated ? 'simulated' : 'real'} odds nevertheless, add ${other.slice(1, -1)} to its overround.json`,
  );
}

/** Earlier releases do not say what a directory holds, but they made test keys where the simulated market ran. */
function hadTestKeys(path: string): boolean {
  return earlierMaskedKeys(path)?.some((masked) => masked.startsWith('sk_test_')) ?? false;
}

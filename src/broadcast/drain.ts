// Waits until every stream was sent all that changed: where a recording is served in steps, a step's answer follows it.
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

export interface Draining<Member> {
  /** Sends what changed; returns the streams that do not have everything yet. */
  send(): readonly Member[];
  /** Offers a stream's pending data again, or closes it if it has taken nothing for too long. */
  expire(member: Member): void;
}

/** Most sockets have room within a few turns of the loop. */
const BRIEF_TURNS = 20;
const POLL_MS = 2;
const EXPIRE_EVERY = 100;

export async function allDrained<Member>({ send, expire }: Draining<Member>): Promise<void> {
  for (let turn = 1; ; turn++) {
    const behind = send();
    if (behind.length === 0) return;
    if (turn < BRIEF_TURNS) await nextTurn();
    else await pause(POLL_MS);
    if (turn % EXPIRE_EVERY === 0) for (const member of behind) expire(member);
  }
}

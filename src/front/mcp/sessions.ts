// The sessions of the protocol revisions that have them (2025-03-26 to 2025-11-25). Only the owner of a session and its
// last use are stored: a client that never ends its session costs this entry until it expires.

import { randomUUID } from 'node:crypto';
import type { Accounts } from '../../accounts/accounts.js';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { Clock } from '../../base/model/clock.js';
import { LIMITS } from '../../base/model/limits.js';
import { command } from '../../log/control/command.js';

export interface SessionLimits {
  /** Maximum sessions; the least recently used one makes room. */
  sessionsMax: number;
  /** Maximum sessions of one key; its own oldest makes room. */
  perKeyMax: number;
  /** A session unused for longer is over. */
  idleMs: number;
  /** A session shared by several processes ends this long after it began: none of them sees all uses. */
  sharedMs: number;
}

const USUAL: SessionLimits = {
  sessionsMax: LIMITS.mcpSessions.max,
  perKeyMax: LIMITS.mcpSessionsOfKey.max,
  idleMs: 30 * 60_000,
  sharedMs: 24 * 3_600_000,
};

/** What processes that answer the same clients share about sessions. */
export interface SharedSessions {
  /** A signature of a text that only they can make. */
  sign(text: string): string;
  /** Makes all of them refuse this session. Rejects with ApiError `unavailable` while that cannot be stored. */
  end(id: string): Promise<void>;
  hasEnded(id: string): boolean;
}

interface Session {
  keyId: string;
  usedMs: number;
}

export class Sessions {
  readonly #clock: Clock;
  readonly #shared: SharedSessions | undefined;
  readonly #limits: SessionLimits;
  // Both in the order of last use, so that those to be dropped come first.
  readonly #sessions = new Map<string, Session>();
  readonly #ofKey = new Map<string, Set<string>>();

  /** @param shared present if other processes answer the same clients */
  constructor(clock: Clock, limits: Partial<SessionLimits> = {}, shared?: SharedSessions) {
    this.#clock = clock;
    this.#shared = shared;
    this.#limits = { ...USUAL, ...limits };
  }

  /** Begins a session of this key; its id. */
  open(keyId: string): string {
    this.#forgetIdle();
    const own = this.#ofKey.get(keyId);
    if (own !== undefined && own.size >= this.#limits.perKeyMax) this.#forget(first(own));
    if (this.#sessions.size >= this.#limits.sessionsMax) this.#forget(first(this.#sessions.keys()));
    const id = this.#shared === undefined ? randomUUID() : this.#signed(this.#shared, keyId);
    this.#put(id, keyId);
    return id;
  }

  /** Begins with the time, so that ids sort in the order in which their sessions began. */
  #signed(shared: SharedSessions, keyId: string): string {
    const plain = `${Math.floor(this.#clock.now()).toString(16).padStart(12, '0')}-${randomUUID()}`;
    return `${plain}.${shared.sign(`${plain} ${keyId}`)}`;
  }

  /** True if the key has this session, which then counts as used now. */
  use(id: string, keyId: string): boolean {
    this.#forgetIdle();
    const isOwn = this.#sessions.get(id)?.keyId === keyId;
    if (!(this.#shared === undefined ? isOwn : this.#isSigned(this.#shared, id, keyId))) return false;
    if (this.#shared?.hasEnded(id)) {
      this.#forget(id);
      return false;
    }
    if (isOwn) {
      this.#forget(id);
      this.#put(id, keyId);
    }
    return true;
  }

  /** Begun for this key, by whichever process, not too long ago. */
  #isSigned(shared: SharedSessions, id: string, keyId: string): boolean {
    const [plain, signature, ...more] = id.split('.');
    if (more.length > 0 || signature === undefined || shared.sign(`${plain} ${keyId}`) !== signature) return false;
    return Number.parseInt(plain!, 16) >= this.#clock.now() - this.#limits.sharedMs;
  }

  /** Ends a session; false if the key has none with this id. */
  async end(id: string, keyId: string): Promise<boolean> {
    if (!this.use(id, keyId)) return false;
    await this.#shared?.end(id);
    this.#forget(id);
    return true;
  }

  get size(): number {
    return this.#sessions.size;
  }

  #put(id: string, keyId: string): void {
    this.#sessions.set(id, { keyId, usedMs: this.#clock.now() });
    getOrInsert(this.#ofKey, keyId, () => new Set()).add(id);
  }

  #forget(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    const own = this.#ofKey.get(session.keyId)!;
    own.delete(id);
    if (own.size === 0) this.#ofKey.delete(session.keyId);
  }

  #forgetIdle(): void {
    const since = this.#clock.now() - this.#limits.idleMs;
    for (const [id, { usedMs }] of this.#sessions) {
      if (usedMs >= since) return;
      this.#forget(id);
    }
  }
}

function first(ids: Iterable<string>): string {
  for (const id of ids) return id;
  throw new Error('there is no session to forget');
}

// Ended sessions of MCP as entries of the control store, for processes that answer the same clients.

const ENDED = 'session';

/** Ids sort in the order in which their sessions began: of too many the oldest are forgotten. */
const endSession = command('sessions.end', (draft, { id, most }: { id: string; most: number }) => {
  draft.put(`${ENDED}|${id}`, 1);
  const ended = [...draft.entries(ENDED)];
  for (const [oldest] of ended.slice(0, Math.max(0, ended.length - most))) draft.remove(oldest);
});

/** Sessions that every process which shares the accounts accepts. */
export function sharedSessions(accounts: Accounts, most: number = LIMITS.mcpSessionsEnded.max): SharedSessions {
  const { control } = accounts;
  return {
    sign: accounts.signer('mcp-session'),
    end: (id) => control.run(endSession, { id, most }),
    hasEnded: (id) => control.store.value(`${ENDED}|${id}`) !== undefined,
  };
}

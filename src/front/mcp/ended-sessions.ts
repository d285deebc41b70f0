// Ended sessions of MCP as entries of the control store, for processes that answer the same clients.
import type { Accounts } from '../../accounts/accounts.js';
import { LIMITS } from '../../base/model/limits.js';
import { command } from '../../log/control/command.js';
import type { SharedSessions } from './sessions.js';

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

// The desk: opened with a key, which is exchanged for a token that only reads, or with a token.
import { OverroundError } from '../src/client/client.js';
import { byId } from './dom.js';
import { Screen } from './screen.js';
import { Session, tokenFor } from './session.js';

const STORAGE_KEY = 'overround-token';
/** Used when a refusal for too many requests does not say how long. */
const RETRY_S = 20;

function askForKey(reason: string): void {
  byId('login').hidden = false;
  byId('reason').textContent = reason;
  byId('key').focus();
}

function refused(error: unknown): void {
  if (error instanceof OverroundError && error.status === 429) {
    // The token is as good as before: only the minute's requests are used up.
    const seconds = Math.ceil(error.retryAfter ?? RETRY_S);
    askForKey(`This key's requests of this minute are used up. The page opens again in ${seconds} s.`);
    setTimeout(() => location.reload(), seconds * 1_000);
    return;
  }
  const isOver = error instanceof OverroundError && [401, 4001].includes(error.status);
  if (isOver) sessionStorage.removeItem(STORAGE_KEY);
  askForKey(
    isOver
      ? 'This key or token is not valid: it has expired, was withdrawn, or is of another server. Enter another one.'
      : error instanceof Error
        ? error.message
        : String(error),
  );
}

async function open(given: string): Promise<void> {
  try {
    const token = await tokenFor(given);
    sessionStorage.setItem(STORAGE_KEY, token);
    const session = new Session(token);
    await session.open();
    new Screen(session, refused).start();
    byId('login').hidden = true;
  } catch (error) {
    refused(error);
  }
}

byId('login').addEventListener('submit', (submitted) => {
  submitted.preventDefault();
  const key = (byId('key') as HTMLInputElement).value.trim();
  // Everything that the previous key gave access to is removed with the page.
  tokenFor(key).then((token) => {
    sessionStorage.setItem(STORAGE_KEY, token);
    location.reload();
  }, refused);
});

/** `#key=…` or `#token=…`: the part after # is never sent to a server. It is removed from the address at once. */
function takeFromAddress(): string {
  const hash = new URLSearchParams(location.hash.slice(1));
  const given = hash.get('key') ?? hash.get('token') ?? '';
  if (given !== '') history.replaceState(null, '', location.pathname + location.search);
  return given;
}

// Pasted into the address of an open page: that is no new page for a browser.
addEventListener('hashchange', () => {
  const given = takeFromAddress();
  if (given === '') return;
  tokenFor(given).then((token) => {
    sessionStorage.setItem(STORAGE_KEY, token);
    location.reload();
  }, refused);
});

const known = takeFromAddress() || sessionStorage.getItem(STORAGE_KEY);
if (known === null) askForKey('');
else await open(known);

// The odds screen: opened with a key, which is exchanged for a token that only reads, or with a token.
import { OverroundError } from '../src/client/client.js';
import { byId } from './dom.js';
import { Screen } from './screen.js';
import { Session, tokenFor } from './session.js';

const STORAGE_KEY = 'overround-token';

function askForKey(reason: string): void {
  sessionStorage.removeItem(STORAGE_KEY);
  byId('login').hidden = false;
  byId('reason').textContent = reason;
  byId('key').focus();
}

async function open(given: string): Promise<void> {
  try {
    const token = await tokenFor(given);
    sessionStorage.setItem(STORAGE_KEY, token);
    const session = new Session(token);
    await session.open();
    new Screen(session, (error) => askForKey(error.message)).start();
    byId('login').hidden = true;
  } catch (error) {
    askForKey(error instanceof OverroundError ? error.message : String(error));
  }
}

byId('login').addEventListener('submit', (submitted) => {
  submitted.preventDefault();
  const key = (byId('key') as HTMLInputElement).value.trim();
  // Everything that the previous key gave access to is removed with the page.
  tokenFor(key).then(
    (token) => {
      sessionStorage.setItem(STORAGE_KEY, token);
      location.reload();
    },
    (error: unknown) => askForKey(error instanceof OverroundError ? error.message : String(error)),
  );
});

// `/dashboard#key=…` or `#token=…`: the part after # is never sent to a server.
const hash = new URLSearchParams(location.hash.slice(1));
const given = hash.get('key') ?? hash.get('token') ?? '';
if (given !== '') history.replaceState(null, '', location.pathname + location.search);
const known = given !== '' ? given : sessionStorage.getItem(STORAGE_KEY);
if (known === null) askForKey('');
else await open(known);

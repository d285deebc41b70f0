// The desk: opened with a key, which is exchanged for a token that only reads, or with a token.
import { html, render } from 'lit-html';
import { OverroundError } from '../src/client/client.js';
import { App } from './app.js';
import { browserStore } from './browser-store.js';
import { Session, tokenFor } from './session.js';

/** A token that only reads and lasts a day: every tab of this browser opens with it. */
const STORAGE_KEY = 'overround-token';
/** Used when a refusal for too many requests does not say how long. */
const RETRY_S = 20;

const root = document.getElementById('desk')!;
const login = document.getElementById('login')!;

function askForKey(reason: string): void {
  login.hidden = false;
  root.hidden = true;
  const submit = (submitted: SubmitEvent): void => {
    submitted.preventDefault();
    // Everything that the previous key gave access to is removed with the page.
    use(String(new FormData(submitted.target as HTMLFormElement).get('key')).trim());
  };
  render(
    html`<main><form @submit=${submit}><h1>overround</h1><label for="key">API key or viewer token</label>
      <input id="key" name="key" type="password" autocomplete="off" placeholder="sk_live_…" required>
      <button>Open</button><p id="reason" role="alert">${reason}</p>
      <p class="quiet">A server of simulated odds prints this page's address with a key in it when it starts: open that one, or paste a key here. <code>overround keys create</code> makes keys. <a href="/docs">Docs</a></p></form></main>`,
    login,
  );
  login.querySelector('input')!.focus();
}

/** Opens the page anew with this key. */
function use(key: string): void {
  storedToken(key).then((token) => {
    // It is not stored then.
    if (browserStore.isLacking) history.replaceState(null, '', `#token=${token}`);
    location.reload();
  }, refused);
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
  if (isOver) browserStore.removeItem(STORAGE_KEY);
  askForKey(
    isOver
      ? 'This key or token is not valid: it has expired, was withdrawn, or is of another server. Enter another one.'
      : error instanceof Error
        ? error.message
        : String(error),
  );
}

async function storedToken(key: string): Promise<string> {
  const token = await tokenFor(key);
  browserStore.setItem(STORAGE_KEY, token);
  return token;
}

async function open(given: string): Promise<void> {
  try {
    // Beside each other: where a connection is slow, each turn is seen.
    const session = new Session(given);
    const [token] = await Promise.all([storedToken(given), session.open()]);
    session.use(token);
    root.replaceChildren();
    new App(root, session, refused).start();
    login.hidden = true;
    root.hidden = false;
  } catch (error) {
    refused(error);
  }
}

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
  if (given !== '') use(given);
});

const known = takeFromAddress() || browserStore.getItem(STORAGE_KEY);
if (known === null) askForKey('');
else await open(known);

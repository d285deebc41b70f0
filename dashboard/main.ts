// The odds screen: every book's prices of one event as they move, and the opportunities of all. Built on the client that
// comes with overround, as any other program could be.
import {
  type Event as EventItem,
  OverroundClient,
  OverroundError,
  type SocketStream,
  type StreamEvent,
} from '../src/client/client.js';
import { byId, drawTabs, element, nowAndThen, oncePerFrame } from './dom.js';
import { EventList, scoreText } from './event-list.js';
import { timeText, words } from './format.js';
import { OddsGrid } from './odds-grid.js';
import { OpportunityFeed } from './opportunity-feed.js';

const KEY = 'overround-key';
const EVENTS_EVERY_MS = 15_000;
const FIGURES_EVERY_MS = 1_000;
const FEED_EVERY_MS = 250;

class Screen {
  readonly #client: OverroundClient;
  readonly #events = new EventList((event) => this.show(event.event_id));
  readonly #grid = new OddsGrid();
  readonly #feed = new OpportunityFeed((event, market) => this.show(event, market));
  #socket: SocketStream | undefined;
  #eventId = '';
  #market = '';
  #changes = 0;
  /** Of the newest change, from when it was taken in to this page, by this machine's clock (ms). */
  #delayMs = Number.NaN;
  readonly #drawGrid = oncePerFrame(() => this.#redrawGrid());
  readonly #live = new Set<string>();

  constructor(client: OverroundClient) {
    this.#client = client;
  }

  /** Throws OverroundError where the key is no good. */
  async open(): Promise<void> {
    const [health, books] = await Promise.all([
      this.#client.health(),
      this.#client.sportsbooks(),
      this.#events.load(this.#client),
    ]);
    byId('simulated').hidden = !health.data.simulated;
    this.#grid.setBooks(books.data);
    // A key that may not stream is refused here.
    await this.#follow();
    this.#drawEvents();
    // A load that fails is made good by the next one.
    setInterval(
      () =>
        void this.#events.load(this.#client).then(
          () => this.#drawEvents(),
          () => undefined,
        ),
      EVENTS_EVERY_MS,
    );
    setInterval(() => this.#drawFigures(), FIGURES_EVERY_MS);
  }

  /** Scores go on, and where nothing was shown yet the first event is. */
  #drawEvents(): void {
    const first = this.#events.first();
    if (this.#eventId === '' && first !== undefined) this.show(first.event_id);
    else if (this.#eventId !== '') this.#drawHead(this.#events.find(this.#eventId));
  }

  show(eventId: string, market = ''): void {
    this.#market = market === '' && eventId === this.#eventId ? this.#market : market;
    if (eventId !== this.#eventId) {
      this.#eventId = eventId;
      this.#pointAt(eventId);
    }
    this.#events.mark(eventId);
    this.#drawHead(this.#events.find(eventId));
    this.#drawGrid();
  }

  #pointAt(eventId: string): void {
    const filters = { eventIds: [eventId] };
    if (this.#socket !== undefined) {
      this.#socket.subscribe(['odds'], filters);
      return;
    }
    this.#socket = this.#client.socket(['odds'], filters, {
      onEvent: (event) => this.#onOdds(event),
      onLost: () => this.#state('odds', false),
    });
    void this.#socket.ended.then((error) => this.#refused(error));
  }

  /** Throws OverroundError where the key may not stream. */
  #follow(): Promise<void> {
    const draw = nowAndThen(FEED_EVERY_MS, byId('feed'), () => this.#feed.draw(stream.table));
    const stream = this.#client.stream(
      'opportunities',
      {},
      {
        onEvent: (event) => {
          this.#state('opportunities', true);
          if (event.type === 'detected') this.#changes += event.items.length;
          draw();
        },
        onLost: () => this.#state('opportunities', false),
      },
    );
    void stream.ended.then((error) => this.#refused(error));
    return stream.ready;
  }

  #onOdds(event: StreamEvent): void {
    this.#state('odds', true);
    if (event.type === 'updated') {
      this.#changes += event.deltas.length;
      for (const delta of event.deltas) {
        this.#delayMs = Date.now() - Date.parse(delta.odds_changed_at);
        this.#grid.move(delta);
      }
      // What is locked has been updated just before.
    } else if (event.type !== 'heartbeat' && event.type !== 'locked') this.#drawGrid();
  }

  #redrawGrid(): void {
    const rows = [...(this.#socket?.table.odds.values() ?? [])].filter((row) => row.event_id === this.#eventId);
    const markets = OddsGrid.marketsOf(rows);
    // The one asked for may still be on its way.
    const shown = markets.some(([type]) => type === this.#market) ? this.#market : (markets[0]?.[0] ?? '');
    drawTabs(
      byId('markets'),
      markets.map(([type, count]) => ({
        name: words(type),
        count,
        selected: type === shown,
        choose: () => {
          this.#market = type;
          this.#drawGrid();
        },
      })),
    );
    this.#grid.draw(rows, shown);
  }

  #drawHead(event: EventItem | undefined): void {
    const when = event === undefined ? '' : event.is_live ? scoreText(event) : timeText(event.start_time);
    byId('event-head').replaceChildren(event?.event_name ?? this.#eventId, element('small', '', when));
  }

  #drawFigures(): void {
    const figures: [string, string][] = [
      ['events', String(this.#events.size)],
      ['changes/s here', String(this.#changes)],
      ['change to screen', Number.isNaN(this.#delayMs) ? '-' : `${Math.max(0, this.#delayMs)} ms`],
    ];
    this.#changes = 0;
    byId('figures').replaceChildren(
      ...figures.map(([name, value]) => element('div', '', element('dt', '', name), element('dd', '', value))),
    );
  }

  #state(stream: string, live: boolean): void {
    if (live) this.#live.add(stream);
    else this.#live.delete(stream);
    const all = this.#live.size === (this.#socket === undefined ? 1 : 2);
    const state = byId('state');
    state.classList.toggle('live', all);
    state.textContent = all ? 'live' : 'connecting';
  }

  #refused(error: OverroundError | undefined): void {
    if (error !== undefined) askForKey(error.message);
  }
}

function askForKey(reason: string): void {
  byId('login').hidden = false;
  byId('reason').textContent = reason;
  byId('key').focus();
}

async function open(apiKey: string): Promise<void> {
  try {
    await new Screen(new OverroundClient({ url: location.origin, apiKey })).open();
    sessionStorage.setItem(KEY, apiKey);
    byId('login').hidden = true;
  } catch (error) {
    askForKey(error instanceof OverroundError ? error.message : String(error));
  }
}

byId('login').addEventListener('submit', (submitted) => {
  submitted.preventDefault();
  sessionStorage.setItem(KEY, (byId('key') as HTMLInputElement).value.trim());
  // What the last key had opened is gone with the page.
  location.reload();
});

// `/dashboard#key=…`: what stands behind # is never sent to a server.
const given = new URLSearchParams(location.hash.slice(1)).get('key');
if (given !== null && given !== '') {
  sessionStorage.setItem(KEY, given);
  history.replaceState(null, '', location.pathname);
}
const known = sessionStorage.getItem(KEY);
if (known === null) askForKey('');
else await open(known);

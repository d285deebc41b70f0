// The page of one event: who plays, the ladder of all its markets, how it ended, and what was detected in it.
import { html, nothing, type TemplateResult } from 'lit-html';
import { type Event as EventItem, OverroundError, type Result } from '../src/client/client.js';
import type { Context } from './context.js';
import { EventPanel } from './event-panel.js';
import { type EventsList, scoreText } from './events-list.js';
import { timeText } from './model/odds-format.js';

export class EventPage {
  readonly #context: Context;
  readonly #events: EventsList;
  readonly #panel: EventPanel;
  #eventId = '';
  #fetched: EventItem | undefined;
  #result: Result | undefined;

  constructor(context: Context, events: EventsList) {
    this.#context = context;
    this.#events = events;
    this.#panel = new EventPanel(context, () => context.changed());
  }

  show(isShown: boolean): void {
    const { event, eventMarket } = this.#context.state;
    const id = isShown ? event : '';
    this.#panel.show(id, eventMarket);
    if (id === this.#eventId) return;
    this.#eventId = id;
    this.#fetched = undefined;
    this.#result = undefined;
    if (id !== '') void this.#fetch(id);
  }

  /** An event that is not in the list, from a link; and its result. */
  async #fetch(id: string): Promise<void> {
    const { client } = this.#context.session;
    const [event, results] = await Promise.allSettled([
      this.#events.find(id) === undefined ? client.event(id) : undefined,
      client.get<Result[]>('/results', { event: id }),
    ]);
    if (id !== this.#eventId) return;
    // Without an event its id serves as its name; below the tier there is no result.
    if (event.status === 'fulfilled' && event.value !== undefined)
      this.#fetched = event.value.data as unknown as EventItem;
    if (results.status === 'fulfilled') this.#result = results.value.data.find(({ event_id }) => event_id === id);
    else if (!(results.reason instanceof OverroundError)) throw results.reason;
    this.#context.changed();
  }

  template(): TemplateResult {
    const event = this.#events.find(this.#eventId) ?? this.#fetched;
    const nowMs = this.#context.session.clock.now();
    const when = event === undefined ? '' : event.is_live ? scoreText(event) : timeText(event.start_time, nowMs);
    return html`<section class="pane event" aria-label="Event"><div class="bar"><button id="event-back" type="button" @click=${() => this.#context.go({ view: 'board', event: '' })}>board</button>
      <h2 id="event-head" tabindex="-1" data-focus><span>${event?.event_name ?? this.#eventId}</span> <small class=${event?.is_live ? 'live' : ''}>${when}</small></h2>${this.#ended()}</div>
      ${this.#panel.template()}</section>`;
  }

  #ended(): TemplateResult | typeof nothing {
    const result = this.#result;
    if (result === undefined || result.home_score === null) return nothing;
    return html`<p class="ended">${result.status}: ${result.away_team} ${result.away_score} – ${result.home_score} ${result.home_team}</p>`;
  }
}

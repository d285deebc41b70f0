// The page of one event: who plays, the ladder of all its markets, how it ended, and what was detected in it. With an
// opportunity opened it is that one's page: what it says or said, how it closed, and how it ended.
import { html, nothing, type TemplateResult } from 'lit-html';
import {
  type Event as EventItem,
  type OpportunityChannel,
  type OpportunityItem,
  type OpportunityItems,
  OverroundError,
  type Prediction,
  type Result,
} from '../src/client/client.js';
import type { Context } from './context.js';
import { EventPanel } from './event-panel.js';
import { type EventsList, scoreText } from './events-list.js';
import { fateText, gradedTemplate, resultTemplate } from './graded-game.js';
import { judgedByMethods } from './model/devig-methods.js';
import { explain } from './model/explain.js';
import { legsOf } from './model/legs.js';
import { percentText, priceText, timeText, words } from './model/odds-format.js';
import { outcomeText } from './model/outcome.js';

const EVERY_MS = 20_000;
const PREDICTIONS_MAX = 500;

export interface OpenOpportunity {
  kind: OpportunityChannel;
  item: OpportunityItem;
}

export class EventPage {
  readonly #context: Context;
  readonly #events: EventsList;
  readonly #panel: EventPanel;
  /** The open one among those that stand now. */
  readonly #find: (id: string) => OpenOpportunity | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #eventId = '';
  #fetched: EventItem | undefined;
  #result: Result | undefined;
  #predictions: readonly Prediction[] = [];
  /** How many there are, of which these are the newest. */
  #detected = 0;
  #noPredictions = '';
  /** As it stood last. */
  #last: OpenOpportunity | undefined;

  constructor(context: Context, events: EventsList, find: (id: string) => OpenOpportunity | undefined) {
    this.#context = context;
    this.#events = events;
    this.#find = find;
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
    this.#predictions = [];
    this.#noPredictions = '';
    clearInterval(this.#timer);
    if (id === '') return;
    void this.#fetch(id);
    if (!this.#context.session.isTight) this.#timer = setInterval(() => void this.#fetch(id), EVERY_MS);
  }

  /** An event that is not in the list, from a link; its result, and what was detected. */
  async #fetch(id: string): Promise<void> {
    if (document.hidden) return;
    const { client } = this.#context.session;
    const [event, results, predictions] = await Promise.allSettled([
      this.#events.find(id) === undefined && this.#fetched === undefined ? client.event(id) : undefined,
      client.results({ event: id }),
      this.#noPredictions === '' ? client.predictions({ event: id, limit: PREDICTIONS_MAX }) : undefined,
    ]);
    if (id !== this.#eventId) return;
    // Without an event its id serves as its name; below the tier there is no result.
    if (event.status === 'fulfilled' && event.value !== undefined)
      this.#fetched = event.value.data as unknown as EventItem;
    if (results.status === 'fulfilled') this.#result = results.value.data.find(({ event_id }) => event_id === id);
    if (predictions.status === 'rejected') this.#noPredictions = lackText(predictions.reason);
    else if (predictions.value !== undefined) {
      this.#predictions = predictions.value.data;
      this.#detected = predictions.value.pagination.total;
    }
    this.#context.changed();
  }

  /** How much the edge rests on the way in which the margin is taken out. */
  #methods({ odds_id, devig_method }: OpportunityItems['ev']): TemplateResult | typeof nothing {
    const { session, state } = this.#context;
    const { board } = this.#panel;
    const row = board?.rows().find(({ id }) => id === odds_id);
    const judged =
      board === undefined || row === undefined ? undefined : judgedByMethods(row, board, session.clock.now());
    if (judged === undefined) return nothing;
    const { from, by, worst } = judged;
    const whose = from === 'consensus' ? 'the other books' : session.nameOf(from);
    return html`<table class="results methods"><caption>Without the margin of ${whose}, by every method: at worst <b class=${worst.edge >= 0.005 ? 'gain' : worst.edge <= -0.005 ? 'loss' : ''}>${signedPercent(worst.edge)}</b></caption>
      <thead><tr><th scope="col">method</th><th scope="col" class="number">chance</th><th scope="col" class="number">fair</th><th scope="col" class="number">edge</th></tr></thead>
      <tbody>${by.map(
        ({ method, fair, edge }) =>
          html`<tr><th scope="row">${words(method)}${method === devig_method ? html` <small>as computed</small>` : nothing}</th><td class="number">${(fair * 100).toFixed(2)} %</td><td class="number">${priceText({ decimal: 1 / fair }, state.format)}</td><td class=${`number ${edge >= 0.005 ? 'gain' : edge <= -0.005 ? 'loss' : ''}`}>${signedPercent(edge)}</td></tr>`,
      )}</tbody></table>`;
  }

  template(): TemplateResult {
    const { state, session, go } = this.#context;
    const event = this.#events.find(this.#eventId) ?? this.#fetched;
    const result = this.#result;
    const nowMs = session.clock.now();
    const when =
      event === undefined || result?.status === 'final'
        ? (result?.status ?? '')
        : event.is_live
          ? scoreText(event)
          : timeText(event.start_time, nowMs);
    const teams = result === undefined ? undefined : `${result.away_team} @ ${result.home_team}`;
    const name = event?.event_name ?? teams ?? state.event;
    return html`<section class="pane event" aria-label="Event"><div class="bar"><button id="event-back" type="button" @click=${() => go({ view: 'board', event: '', open: '' })}>board</button>
      <h2 id="event-head" tabindex="-1" data-focus><span>${name}</span> <small class=${event?.is_live ? 'live' : ''}>${when}</small></h2></div>
      ${result === undefined ? nothing : resultTemplate(result)}${state.open === '' ? nothing : this.#opportunity(state.open)}
      ${this.#panel.template()}
      ${
        this.#predictions.length > 0
          ? gradedTemplate(this.#context, this.#predictions, this.#detected, state.open)
          : this.#noPredictions === ''
            ? nothing
            : html`<p class="quiet note">${this.#noPredictions}</p>`
      }</section>`;
  }

  /** What it says, or said; then how it closed and ended. */
  #opportunity(id: string): TemplateResult {
    const { session, state, go } = this.#context;
    const now = this.#find(id);
    if (now !== undefined) this.#last = now;
    const last = this.#last?.item.id === id ? this.#last : undefined;
    const predicted = this.#predictions.find((one) => one.id === id);
    const said =
      last === undefined
        ? saidOf(predicted, this.#context)
        : explain(last.kind, last.item, state.format, session.nameOf);
    const first =
      predicted === undefined
        ? []
        : ([
            [
              'first seen',
              `${timeText(predicted.detected_at, session.clock.now())} at ${priceText({ decimal: predicted.odds_decimal_net }, state.format)}, ${percentText(predicted.ev_percentage)} above fair`,
            ],
          ] as [string, string][]);
    const facts = [...first, ...fateText(predicted, session.nameOf)];
    return html`<section class="opportunity" aria-label="Opportunity"><div class="bar"><h3>${now === undefined ? 'Opportunity that ended' : 'Opportunity'}</h3>
        ${now === undefined ? nothing : html`<button type="button" @click=${() => this.#context.addOpportunity(now.kind, now.item)}>ticket</button>`}
        <button type="button" @click=${() => go({ open: '' })}>close</button></div>
      <p>${said}</p>
      ${last === undefined ? nothing : html`<ul class="plain legs">${legsOf(last.kind, last.item).map((leg) => html`<li><b>${leg.outcome}</b> ${priceText(leg, state.format)} at ${leg.books.map(session.nameOf).join(', ')}</li>`)}</ul>`}
      ${now?.kind === 'ev' ? this.#methods(now.item as OpportunityItems['ev']) : nothing}
      ${facts.length === 0 ? nothing : html`<dl class="fate">${facts.map(([label, text]) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`)}</dl>`}</section>`;
  }
}

const signedPercent = (percent: number): string => `${percent >= 0.005 ? '+' : ''}${percent.toFixed(2)} %`;

function saidOf(predicted: Prediction | undefined, { session }: Context): string {
  if (predicted === undefined)
    return 'It stands no more. Prices above fair are kept with their close and their end, other kinds only while they stand.';
  return `${words(predicted.market_type)}: ${outcomeText(predicted)} at ${session.nameOf(predicted.sportsbook)}.`;
}

function lackText(error: unknown): string {
  if (!(error instanceof OverroundError)) throw error;
  if (error.tier !== undefined) return `What was detected here, and how it ended, needs the tier ${error.tier}.`;
  return error.status === 404 ? 'This server keeps no history: what was detected here is not graded.' : '';
}

// How fresh a book is: a dot beside its name, by the age of the newest poll that is known. Full, half and empty are told
// apart without colour.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Board } from './model/board.js';
import { FRESH_MEANS, FRESH_WORDS, type Freshness, freshnessOf } from './model/freshness.js';
import { ageText } from './model/odds-format.js';
import type { Session } from './session.js';

export interface BookFreshness {
  /** Of the dot. */
  className: string;
  text: string;
}

/** By what the board saw of the book, or by what the server says of its polls. */
export function bookFreshness(session: Session, book: string, board?: Board): BookFreshness {
  return freshnessAt(session, Math.max(board?.newestMs(book) ?? 0, session.polledMs(book)));
}

/** @param atMs Unix ms of the newest poll; 0 if none is known */
export function freshnessAt(session: Session, atMs: number): BookFreshness {
  if (atMs === 0) return { className: 'dot', text: 'no poll is known' };
  const ageMs = session.clock.now() - atMs;
  return { className: `dot ${freshnessOf(ageMs)}`, text: `polled ${ageText(ageMs)} ago` };
}

/** What the dots mean; on a phone in one line. */
export function freshLegend(isCompared = true): TemplateResult {
  const names: readonly Freshness[] = ['fresh', 'slow', 'old'];
  return html`<p class="legend"><span>books:</span>${names.map(
    (name) =>
      html` <span><i class=${`dot ${name}`} aria-hidden="true"></i>${FRESH_WORDS[name]}${isCompared ? html`<span class="roomy">${FRESH_MEANS[name]}</span>` : nothing}</span>`,
  )}</p>`;
}

// The contents of messages: rows as JSON for webhooks, lines of text for chats.

import { TARGETS } from '../accounts/outbox/targets.js';
import type { AlertChannel, AlertRule } from '../base/model/alert.js';
import { LIMITS } from '../base/model/limits.js';
import { formatMs } from '../base/model/time.js';

/** A row of a channel as one line of text. */
export type LineOf = (channel: AlertChannel, item: unknown) => string;

const WHAT: Readonly<Record<AlertChannel, string>> = {
  ev: 'ev.detected',
  arbitrage: 'arbitrage.detected',
  middles: 'middles.detected',
  low_hold: 'low_hold.detected',
  moves: 'moves.detected',
  odds: 'odds.changed',
};

/** @param texts the rows' JSON, in the order of reporting */
export function messagesOf(rule: AlertRule, texts: readonly string[], nowMs: number, lineOf: LineOf): Uint8Array[] {
  const rows = texts.slice(0, LIMITS.alertRowsPerReport.max);
  const pages = pagesOf(rows);
  return pages.map((page, i) => {
    const more = i === pages.length - 1 ? texts.length - rows.length : 0;
    return Buffer.from(bodyOf(rule, page, more, nowMs, lineOf));
  });
}

/** The ids of what was reported and is over. */
export function endedMessage(rule: AlertRule, ids: readonly string[], nowMs: number): Uint8Array {
  const { id, name, channel, target } = rule;
  const { chat } = TARGETS[target.type];
  const shown = ids.slice(0, LIMITS.alertRows.max);
  const more = ids.length - shown.length;
  if (chat !== null) {
    const text = chat.plain(`${name}: ${ids.length === 1 ? 'one is' : `${ids.length} are`} over`);
    return Buffer.from(JSON.stringify(chat.body(text, target)));
  }
  const data = { alert_id: id, name, channel, count: shown.length, more, ended: shown };
  const type = `${channel}.ended`;
  return Buffer.from(JSON.stringify({ type, timestamp: formatMs(nowMs), data }));
}

/** What a message of the rule looks like, with an item that is none. */
export function exampleMessage(rule: AlertRule, item: object, nowMs: number, lineOf: LineOf): Uint8Array {
  const named = { ...rule, name: `Test of ${rule.name}` };
  return Buffer.from(bodyOf(named, [JSON.stringify(item)], 0, nowMs, lineOf, true));
}

function bodyOf(
  rule: AlertRule,
  texts: readonly string[],
  more: number,
  nowMs: number,
  lineOf: LineOf,
  test = false,
): string {
  const { id, name, channel, target } = rule;
  const { chat } = TARGETS[target.type];
  if (chat === null) {
    const head = { alert_id: id, name, channel, count: texts.length, more, ...(test ? { test } : {}) };
    const data = `${JSON.stringify(head).slice(0, -1)},"items":[${texts.join(',')}]}`;
    return `{"type":"${WHAT[channel]}","timestamp":"${formatMs(nowMs)}","data":${data}}`;
  }
  const lines = texts.map((text) => chat.plain(lineOf(channel, JSON.parse(text))));
  return JSON.stringify(chat.body(fitted(chat.plain(name), lines, more, chat.charactersMax), target));
}

/** As many lines as fit, and the number of those that did not. */
function fitted(title: string, lines: readonly string[], more: number, charactersMax: number): string {
  let text = title;
  for (const [i, line] of lines.entries()) {
    const rest = `\n… and ${lines.length - i + more} more`;
    const next = `\n${line.slice(0, charactersMax / 4)}`;
    if (text.length + next.length + rest.length > charactersMax) return text + rest;
    text += next;
  }
  return more > 0 ? `${text}\n… and ${more} more` : text;
}

function pagesOf(texts: readonly string[]): string[][] {
  const pages: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const page = pages.at(-1);
    if (
      page === undefined ||
      page.length >= LIMITS.alertRows.max ||
      characters + text.length > LIMITS.alertCharacters.max
    ) {
      pages.push([text]);
      characters = text.length;
    } else {
      page.push(text);
      characters += text.length;
    }
  }
  return pages;
}

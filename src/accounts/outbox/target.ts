// What a kind of alert target is: one record (targets.ts), from which a rule is checked, its messages are written and sent,
// and answers are understood.
import type { AlertRule, AlertTarget, QueuedMessage } from '../../base/model/alert.js';
import type { Addresses } from './addresses.js';

/** The operator's bot for Telegram. */
export interface Bot {
  url: string;
  token: string | undefined;
}

export interface Reach {
  addresses: Addresses;
  telegram: Bot;
}

/** How a chat shows a message. */
export interface ChatText {
  charactersMax: number;
  /** A name comes from a feed: it must not become a link, mention anyone, or look like another line. */
  plain(text: string): string;
  /** The body of the request. */
  body(text: string, target: AlertTarget): object;
}

export interface Target {
  /** What a rule must state of it. */
  needs: 'url' | 'chat';
  /** Null if it gets the rows themselves, as JSON. */
  chat: ChatText | null;
  /** Answers that mean the recipient no longer exists. */
  gone: readonly number[];
  /** Its address is the operator's: it may be anywhere. */
  trusted?: true;
  /** The whole URL may be shown to the account: it is no secret. */
  openUrl?: true;
  /** Where its messages go, checked again at each attempt. Throws an Error with a readable reason. */
  address(target: AlertTarget, reach: Reach): URL;
  /** Headers beside those of every message. */
  headers?(rule: AlertRule, message: QueuedMessage, nowMs: number): Record<string, string>;
}

export const addressOfUrl: Target['address'] = ({ url }, { addresses }) => addresses.parse(url!);

/** Chats make links of addresses by themselves: a space without width keeps them text. */
export function unlinked(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(/(:)(\/\/)|(\.)(?=\p{L}{2})/gu, '$1$3\u200b$2');
}

// One active rule: how far it was evaluated, its active matches, and when it may send again. Matches are stored
// together with how far it was evaluated, so that a restart neither loses nor repeats any.

import type { AlertStore, Findings } from '../accounts/outbox/alert-store.js';
import type { AlertRule } from '../base/model/alert.js';
import { LIMITS } from '../base/model/limits.js';
import type { Found, RuleMatches } from './matches.js';
import { endedMessage, type LineOf, messagesOf } from './messages.js';

export interface RuleWatchOptions {
  rule: AlertRule;
  matches: RuleMatches;
  store: Pick<AlertStore, 'progress' | 'reported' | 'untold' | 'delivery' | 'queueLength'>;
  /** Position of the newest change there is. */
  head: number;
  lineOf: LineOf;
  put(ruleId: string, findings: Findings): Promise<void>;
  onError(error: unknown, ruleId: string): void;
}

export class RuleWatch {
  readonly rule: AlertRule;
  readonly #options: RuleWatchOptions;
  /** Oldest first. */
  readonly #reported: Set<string>;
  /** Of these, what was active when the rule was created: neither that it began nor that it ended is told. */
  readonly #untold: Set<string>;
  #position: number;
  /** It knows what was active when it was created. */
  #begun: boolean;
  #ended: string[] = [];
  /** When it found what it has not sent yet (Unix ms); NaN if there is nothing. */
  #foundMs = Number.NaN;
  #quietUntilMs = 0;
  #notedMs = 0;
  #busy = false;
  /** What waits for its target, and whether that is off; undefined if that is to be read. */
  #target: { queued: number; isOff: boolean } | undefined;

  constructor(options: RuleWatchOptions) {
    const { rule, store, head } = options;
    this.rule = rule;
    this.#options = options;
    const progress = store.progress(rule.id);
    this.#begun = progress !== undefined && progress.anew !== true;
    // It may have seen changes that were lost in a loss of power.
    this.#position = Math.min(progress?.position ?? rule.createdPosition, head);
    this.#reported = new Set(store.reported(rule.id));
    this.#untold = new Set(store.untold(rule.id));
    if (progress?.queuedMs !== undefined) this.#quietUntilMs = progress.queuedMs + rule.quietSeconds * 1000;
  }

  /** Messages that wait for its target. */
  get queued(): number {
    return this.#readTarget().queued;
  }

  /**
   * @param head position of the newest change
   * @param isCrowded so many messages wait for the targets of its account that none may be added to those for this one
   */
  evaluate(head: number, nowMs: number, isCrowded = false): void {
    const { matches } = this.#options;
    this.#followClock(nowMs);
    const hasEndings = this.rule.tellsEnded === true && this.#ended.length > 0;
    if (this.#busy || nowMs < this.#quietUntilMs || !matches.ready) return;
    if (head === this.#position && !hasEndings) return;
    if (!this.#accepts(isCrowded)) return;
    if (!this.#begun) this.#begin();
    const found = matches.since(this.#position, this.#reported, nowMs);
    if (found.begun.length > 0) {
      if (Number.isNaN(this.#foundMs)) this.#foundMs = nowMs;
      // More of the same burst may follow.
      if (nowMs - this.#foundMs < ALERT_TIMES.groupMs) return;
      this.#foundMs = Number.NaN;
      this.#tell(found, head, nowMs);
      return;
    }
    this.#foundMs = Number.NaN;
    this.#position = head;
    for (const id of found.ended) if (this.#reported.delete(id)) this.#ended.push(id);
    const waitMs = this.rule.tellsEnded === true ? ALERT_TIMES.groupMs : ALERT_TIMES.noteEveryMs;
    const everyMs = this.#ended.length > 0 ? waitMs : ALERT_TIMES.noteNothingEveryMs;
    if (nowMs - this.#notedMs < everyMs) return;
    this.#notedMs = nowMs;
    this.#put({ position: head, begun: [], ended: this.#ended, bodies: this.#endings(nowMs) }, this.#position);
  }

  /** The messages of those that are over, if the rule tells them. */
  #endings(nowMs: number): Uint8Array[] {
    const { rule } = this;
    const told = this.#ended.filter((id) => !this.#untold.has(id));
    if (rule.tellsEnded !== true || told.length === 0) return [];
    this.#quietUntilMs = nowMs + rule.quietSeconds * 1000;
    return [endedMessage(rule, told, nowMs)];
  }

  /** What waits for its target, or the target's state, is not what it was. */
  targetChanged(): void {
    this.#target = undefined;
  }

  close(): void {
    this.#options.matches.close();
  }

  /** Not if it is off, so that there is no recipient, or too many messages wait for it. */
  #accepts(isCrowded: boolean): boolean {
    const { queued, isOff } = this.#readTarget();
    return !isOff && queued < (isCrowded ? 1 : LIMITS.alertQueue.max);
  }

  #readTarget() {
    const { store, rule } = this.#options;
    this.#target ??= { queued: store.queueLength(rule.id), isOff: store.delivery(rule.id)?.state === 'off' };
    return this.#target;
  }

  /** A clock that was set back lengthens no wait. */
  #followClock(nowMs: number): void {
    if (nowMs < this.#foundMs) this.#foundMs = nowMs;
    if (nowMs < this.#notedMs) this.#notedMs = nowMs;
    this.#quietUntilMs = Math.min(this.#quietUntilMs, nowMs + this.rule.quietSeconds * 1000);
  }

  /** What was active when the rule was created is not reported. */
  #begin(): void {
    this.#begun = true;
    this.#activeAtStart = this.#options.matches.activeAt(this.rule.createdPosition);
    for (const id of this.#activeAtStart) {
      this.#reported.add(id);
      this.#untold.add(id);
    }
  }

  /** To be stored with the first matches. */
  #activeAtStart: string[] = [];

  #tell({ begun, ended }: Found, head: number, nowMs: number): void {
    const { rule, lineOf } = this.#options;
    const before = this.#position;
    const ids = begun.flatMap(({ id }) => (id === '' ? [] : [id]));
    this.#ended.push(...ended);
    const endings = this.#endings(nowMs);
    const over = [...this.#ended];
    for (const id of ended) this.#reported.delete(id);
    for (const id of ids) this.#reported.add(id);
    for (const oldest of this.#reported) {
      if (this.#reported.size <= LIMITS.alertReported.max) break;
      this.#reported.delete(oldest);
      over.push(oldest);
    }
    const bodies = messagesOf(
      rule,
      begun.map(({ text }) => text),
      nowMs,
      lineOf,
    );
    this.#position = head;
    this.#notedMs = nowMs;
    this.#quietUntilMs = nowMs + rule.quietSeconds * 1000;
    this.#put({ position: head, begun: ids, ended: over, bodies: [...endings, ...bodies] }, before, ids);
  }

  /** If it is not stored, the next evaluation finds it again from the same position. */
  #put(findings: Omit<Findings, 'untold'>, before: number, reported: readonly string[] = []): void {
    const { put, onError, rule } = this.#options;
    this.#busy = true;
    this.#ended = [];
    put(rule.id, { ...findings, untold: this.#activeAtStart.filter((id) => this.#reported.has(id)) })
      .then(
        () => {
          this.#activeAtStart = [];
          for (const id of findings.ended) this.#untold.delete(id);
        },
        (error: unknown) => {
          this.#position = before;
          for (const id of reported) this.#reported.delete(id);
          this.#ended = [...findings.ended];
          this.#quietUntilMs = 0;
          onError(error, rule.id);
        },
      )
      .finally(() => {
        this.#busy = false;
      });
  }
}

/** How often rules are evaluated, and how long targets have. */
export const ALERT_TIMES = {
  /** Rules are evaluated at this interval, and wait this long for more of a burst before they report its beginning. */
  lookMs: 250,
  groupMs: 500,
  /**
   * Ends are stored at this interval if nothing else is, and positions without any (ms): how far a rule was evaluated
   * without a match is of no consequence to the next writer, who finds none either.
   */
  noteEveryMs: 2_000,
  noteNothingEveryMs: 30_000,
  /** A rule that cannot be evaluated now is tried again after this time (ms). */
  retryMs: 5_000,
  /** What keys allow is looked at anew at this interval (ms). */
  readEveryMs: 1_000,
  /** Rules are begun for this long at a time (ms): requests are answered between. */
  sliceMs: 4,
  /** A target has this long to answer (ms). */
  answerMs: 10_000,
} as const;

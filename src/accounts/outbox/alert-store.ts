// Alerts as entries of the control store: rules, how far each was evaluated, its active matches, waiting messages and
// delivery state; and the commands that change them.
import { isDeepStrictEqual } from 'node:util';
import type { AlertProgress, AlertRule, Delivery, NewRule, QueuedMessage } from '../../base/model/alert.js';
import { ApiError } from '../../base/model/errors.js';
import { type Command, command, type Draft } from '../../log/control/command.js';
import type { ControlReader, ControlStore } from '../../log/control/entries.js';

const RULE = 'alert';
const PROGRESS = 'alert-progress';
const REPORTED = 'alert-reported';
const QUEUE = 'alert-queue';
const DELIVERY = 'alert-delivery';
const TARGETS = 'alert-targets|settings';

/** Beside a reported id: it was active before the rule was, so that its end is not told either. */
const UNTOLD = 'untold';

/** Digits of a message's number, so that entries sort in the order of numbers. */
const SEQ_DIGITS = 12;

/** The matches of a rule since its last evaluation. */
export interface Findings {
  position: number;
  /** Ids reported from now on; those that nobody is told of, as they were active before; and those that are over. */
  begun: readonly string[];
  untold: readonly string[];
  ended: readonly string[];
  bodies: readonly Uint8Array[];
}

/** Which targets the process that sends may send to: every process refuses the others. */
export interface TargetSettings {
  hosts: readonly string[];
  /** It has a bot for Telegram. */
  telegram: boolean;
}

export const setTargets = command('alerts.targets', (draft, settings: TargetSettings) => {
  if (!isDeepStrictEqual(draft.value(TARGETS), settings)) draft.put(TARGETS, settings);
});

interface AddedRule {
  rule: NewRule & Pick<AlertRule, 'id' | 'account' | 'secret'>;
  /** Position of the table that the caller saw. */
  after: number;
  /** Rules that the account may have. */
  most: number;
  tier: string;
}

/** Throws ApiError `invalid_request` if the account has too many. */
export const addRule = command('alerts.add', (draft, { rule, after, most, tier }: AddedRule): AlertRule => {
  if (rulesIn(draft).filter(({ account }) => account === rule.account).length >= most)
    throw new ApiError('invalid_request', `an account of the ${tier} tier has at most ${most} alerts`);
  const added = { ...rule, createdMs: draft.nowMs, createdPosition: Math.max(draft.position, after) };
  draft.put(`${RULE}|${rule.id}`, added);
  return added;
});

interface ChangedRule {
  account: string;
  id: string;
  rule: NewRule;
  /** Position of the table that the caller saw. */
  after: number;
}

/** Undefined if the account has none with this id. Of other filters it reports what begins from now on. */
export const changeRule = command('alerts.change', (draft, { account, id, rule, after }: ChangedRule) => {
  const before = ruleIn(draft, id);
  if (before?.account !== account) return undefined;
  const anew =
    before.channel !== rule.channel ||
    !isDeepStrictEqual(before.filters, rule.filters) ||
    (before.paused === true && rule.paused !== true);
  const position = Math.max(draft.position, after);
  const { secret, createdMs, createdPosition } = before;
  const changed: AlertRule = {
    ...rule,
    ...{ id, account, secret, createdMs, createdPosition: anew ? position : createdPosition },
  };
  draft.put(`${RULE}|${id}`, changed);
  if (!isDeepStrictEqual(before.target, rule.target)) draft.remove(`${DELIVERY}|${id}`);
  if (!anew) return changed;
  const progress = draft.value(`${PROGRESS}|${id}`) as AlertProgress | undefined;
  if (progress !== undefined) draft.put(`${PROGRESS}|${id}`, { ...progress, position, anew: true });
  removeAll(draft, `${REPORTED}|${id}`);
  return changed;
});

/** Queues a message to be sent at once, also to a target that is off; false if the account has no such rule. */
export const sendNow = command(
  'alerts.test',
  (draft, { account, id, body }: { account: string; id: string; body: Uint8Array }) => {
    const rule = ruleIn(draft, id);
    if (rule?.account !== account) return false;
    const before = draft.value(`${PROGRESS}|${id}`) as AlertProgress | undefined;
    const seq = (before?.seq ?? 0) + 1;
    const message: QueuedMessage = { seq, position: draft.position, queuedMs: draft.nowMs, body };
    // Not evaluated yet: what is active at its creation is still to be learned.
    const progress: AlertProgress = before ?? { position: rule.createdPosition, seq: 0, anew: true };
    draft.put(`${PROGRESS}|${id}`, { ...progress, seq });
    draft.put(queueEntry(id, seq), message);
    const delivery = deliveryIn(draft, id);
    if (delivery !== undefined)
      draft.put(`${DELIVERY}|${id}`, {
        ...delivery,
        state: delivery.state === 'off' ? 'active' : delivery.state,
        nextAttemptMs: null,
        waitMs: null,
      } satisfies Delivery);
    return true;
  },
);

/** Removes a rule with everything that belongs to it; false if the account has none with this id. */
export const removeRule = command('alerts.remove', (draft, { account, id }: { account: string; id: string }) => {
  if (ruleIn(draft, id)?.account !== account) return false;
  for (const kind of [RULE, PROGRESS, DELIVERY]) draft.remove(`${kind}|${id}`);
  for (const kind of [REPORTED, QUEUE]) removeAll(draft, `${kind}|${id}`);
  return true;
});

/** False if the rule was removed. */
const noteFindings = command('alerts.found', (draft, { id, findings }: { id: string; findings: Findings }) => {
  if (ruleIn(draft, id) === undefined) return false;
  const { position, begun, untold, ended } = findings;
  // A target that is off gets none.
  const bodies = deliveryIn(draft, id)?.state === 'off' ? [] : findings.bodies;
  const before = draft.value(`${PROGRESS}|${id}`) as AlertProgress | undefined;
  let seq = before?.seq ?? 0;
  const queuedMs = bodies.length > 0 ? draft.nowMs : before?.queuedMs;
  for (const one of ended) draft.remove(`${REPORTED}|${id}|${one}`);
  for (const one of begun) draft.put(`${REPORTED}|${id}|${one}`, null);
  for (const one of untold) draft.put(`${REPORTED}|${id}|${one}`, UNTOLD);
  for (const body of bodies) {
    seq++;
    const message: QueuedMessage = { seq, position: draft.position, queuedMs: draft.nowMs, body };
    draft.put(queueEntry(id, seq), message);
  }
  const progress: AlertProgress = { position, seq, ...(queuedMs === undefined ? {} : { queuedMs }) };
  draft.put(`${PROGRESS}|${id}`, progress);
  return true;
});

interface DeliveryChange {
  id: string;
  delivery: Delivery;
  /** The message that the target accepted with it. */
  taken: number | null;
}

const noteDelivery = command('alerts.delivery', (draft, { id, delivery, taken }: DeliveryChange) => {
  if (taken !== null) draft.remove(queueEntry(id, taken));
  if (delivery.state === 'off') removeAll(draft, `${QUEUE}|${id}`);
  if (ruleIn(draft, id) !== undefined) draft.put(`${DELIVERY}|${id}`, delivery);
});

/** Has a command run; settles once the store shows what it changed. */
export type RunCommand = <Args, Reply>(command: Command<Args, Reply>, args: Args) => Promise<Reply>;

/** The entries as a process or thread reads them, and changes of the evaluation and of the deliveries. */
export class AlertStore {
  readonly #stored: ControlStore;
  readonly #run: RunCommand;

  constructor(stored: ControlStore, run: RunCommand) {
    this.#stored = stored;
    this.#run = run;
  }

  targets(): TargetSettings {
    return (this.#stored.value(TARGETS) as TargetSettings | undefined) ?? { hosts: [], telegram: false };
  }

  rules(): AlertRule[] {
    return rulesIn(this.#stored);
  }

  progress(id: string): AlertProgress | undefined {
    return this.#stored.value(`${PROGRESS}|${id}`) as AlertProgress | undefined;
  }

  /** With those that nobody was told of. */
  reported(id: string): string[] {
    return this.#reported(id).map(([one]) => one);
  }

  untold(id: string): string[] {
    return this.#reported(id).flatMap(([one, how]) => (how === UNTOLD ? [one] : []));
  }

  #reported(id: string): [id: string, how: unknown][] {
    const under = `${REPORTED}|${id}`;
    return [...this.#stored.entries(under)].map(([entry, how]) => [entry.slice(under.length + 1), how]);
  }

  delivery(id: string): Delivery | undefined {
    return deliveryIn(this.#stored, id);
  }

  /** Waiting messages, oldest first. */
  queue(id: string, limit: number): QueuedMessage[] {
    return [...this.#stored.entries(`${QUEUE}|${id}`, limit)].map(([, message]) => message as QueuedMessage);
  }

  queueLength(id: string): number {
    return this.#stored.count(`${QUEUE}|${id}`);
  }

  /** Stores a rule's matches together; false if the rule was removed. Rejects with ApiError. */
  put(id: string, findings: Findings): Promise<boolean> {
    return this.#run(noteFindings, { id, findings });
  }

  /** Its target accepted a message. */
  async taken(id: string, seq: number, delivery: Delivery): Promise<void> {
    await this.#run(noteDelivery, { id, delivery, taken: seq });
  }

  /** If the target is off, its waiting messages are dropped. */
  async putDelivery(id: string, delivery: Delivery): Promise<void> {
    await this.#run(noteDelivery, { id, delivery, taken: null });
  }
}

/** The rule whose waiting messages or delivery the entry is; undefined if it is neither. */
export function ruleOfTarget(entry: string): string | undefined {
  const [kind, id] = entry.split('|', 2);
  return kind === QUEUE || kind === DELIVERY ? id : undefined;
}

/** The rule for which the change queued a message; undefined if it did not. */
export function ruleOfQueued([entry, value]: readonly [entry: string, value: unknown]): string | undefined {
  const [kind, id] = entry.split('|', 2);
  return kind === QUEUE && value !== null ? id : undefined;
}

/** Whether a change of the control store is one of the rules themselves. */
export function isRuleEntry(entry: string): boolean {
  return entry.startsWith(`${RULE}|`);
}

export function rulesIn(stored: ControlReader): AlertRule[] {
  return [...stored.entries(RULE)].map(([, rule]) => rule as AlertRule);
}

function ruleIn(draft: Draft, id: string): AlertRule | undefined {
  return draft.value(`${RULE}|${id}`) as AlertRule | undefined;
}

function deliveryIn(stored: ControlReader, id: string): Delivery | undefined {
  return stored.value(`${DELIVERY}|${id}`) as Delivery | undefined;
}

function removeAll(draft: Draft, under: string): void {
  for (const [entry] of [...draft.entries(under)]) draft.remove(entry);
}

function queueEntry(id: string, seq: number): string {
  return `${QUEUE}|${id}|${String(seq).padStart(SEQ_DIGITS, '0')}`;
}

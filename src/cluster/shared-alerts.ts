// Alerts as the next writer of a cluster will continue them: rules, how far each was evaluated, what it reported, and
// the messages that wait for its target. The writer puts every change there before it stores it itself; an earlier
// writer that goes on is refused by the revisions of its entries, all of which a new writer replaces first.
import type { AlertSharing } from '../alerts/alerts.js';
import type { AlertRule } from '../model/alert.js';
import { monotonicMs } from '../model/clock.js';
import { ApiError, noWriter } from '../model/errors.js';
import { LIMITS } from '../model/limits.js';
import type { EngineLog } from '../model/log.js';
import { ContinuedElsewhere } from '../outbox/deliveries.js';
import type { AlertStore, RuleChange, StoredRule } from '../store/alert-store.js';
import { encode } from '../wire/codec.js';
import { AlertEntries, type Fenced, Superseded, type Text } from './alert-entries.js';
import { AlertTakeover, type RuleEntry, type StoredEntry } from './alert-takeover.js';
import { atOnce, pause } from './attempts.js';
import type { ClusterNats } from './nats.js';

export interface SharedAlertsOptions {
  nats: ClusterNats;
  /** The writer's; higher than any before. */
  term: number;
  log: EngineLog;
  /** A later term stores the alerts; nothing is changed any more. */
  onSuperseded(): void;
}

/** Which rules there are. */
interface Index extends Fenced {
  ids: readonly string[];
}

interface Known extends StoredEntry {
  /** When it was written last (monotonic). */
  writtenMs: number;
  /** Changes of a rule are written one after the other. */
  turn: Promise<void>;
}

/** How far a rule was evaluated without a match is of no consequence to the next writer: it finds none, either. */
const POSITION_EVERY_MS = 30_000;
/** Of an id in the index. */
const ID_BYTES = 24;

export class SharedAlerts implements AlertSharing {
  readonly #entries: AlertEntries;
  readonly #options: SharedAlertsOptions;
  readonly #rules = new Map<string, Known>();
  #index: Index;
  #indexRevision = 0;
  #closed = false;

  constructor(options: SharedAlertsOptions) {
    const { nats, term, log } = options;
    this.#options = options;
    this.#index = { term, ids: [] };
    this.#entries = new AlertEntries(nats, (error) =>
      log.warn({ err: error }, 'alerts cannot be shared with the next writer for now'),
    );
  }

  /**
   * Takes the rules over from the previous writer, and fills the store with them; the rules of a store that becomes a
   * cluster's are the first. Rejects with Superseded.
   */
  async load(store: AlertStore): Promise<void> {
    while (!(await this.#takeIndex(store)));
    await store.clear();
    const { ids } = this.#index;
    const { term, log } = this.#options;
    const takeover = new AlertTakeover({
      entries: this.#entries,
      term,
      ids,
      indexRevision: this.#indexRevision,
      store,
      log,
    });
    await takeover.run();
    for (const [id, stored] of takeover.rules) this.#know(id, stored);
    if (this.#rules.size < ids.length) await this.#writeIndex(ids.filter((id) => this.#rules.has(id)));
    this.#erased(this.#entries.clean(takeover.foreign));
  }

  /** What has not been written yet rejects. */
  close(): void {
    this.#closed = true;
    this.#entries.close();
  }

  async add(rule: AlertRule): Promise<void> {
    const most = Math.min(LIMITS.alertsOfCluster.max, Math.floor(this.#entries.bytesMax / ID_BYTES));
    if (this.#index.ids.length >= most)
      throw new ApiError('unavailable', `this cluster has at most ${most} alerts`, { retryAfter: 60 });
    await this.#fenced(async () => {
      const state = { progress: null, delivery: null, reported: [], queue: [] };
      await this.#put({ rule, ...state });
      // What counts is the index: only the writer can change it.
      await this.#writeIndex([...this.#index.ids, rule.id]);
    });
  }

  async remove(id: string): Promise<void> {
    await this.#fenced(() => this.#writeIndex(this.#index.ids.filter((other) => other !== id)));
    const turn = this.#rules.get(id)?.turn;
    this.#rules.delete(id);
    this.#erased(Promise.resolve(turn).then(() => this.#entries.drop(id)));
  }

  change(change: RuleChange, reported: () => readonly string[]): Promise<void> {
    const known = this.#rules.get(change.ruleId);
    // It was removed.
    if (known === undefined) return Promise.resolve();
    const turn = known.turn.then(() =>
      this.#fenced(
        () => (change.kind === 'found' ? this.#found(known, change, reported) : this.#sent(known, change)),
        () => new ContinuedElsewhere(),
      ),
    );
    known.turn = turn.catch(() => undefined);
    return turn;
  }

  async #found(
    known: Known,
    { ruleId, after, queuedMs, findings }: Extract<RuleChange, { kind: 'found' }>,
    reported: () => readonly string[],
  ): Promise<void> {
    const { position, begun, ended, bodies } = findings;
    const { entry } = known;
    const isPosition = begun.length === 0 && ended.length === 0 && bodies.length === 0;
    if (isPosition && entry.progress !== null && monotonicMs() - known.writtenMs < POSITION_EVERY_MS) return;
    const texts = await Promise.all(bodies.map((body) => this.#entries.writeText(ruleId, body)));
    // A change that could not be stored comes again, with the same numbers.
    const queue = [
      ...entry.queue.filter(({ seq }) => seq <= after),
      ...texts.map((body, i) => ({ seq: after + i + 1, queuedMs, body })),
    ];
    const lastMs = bodies.length > 0 ? queuedMs : entry.progress?.queuedMs;
    const progress = {
      position,
      seq: after + bodies.length,
      ...(lastMs === undefined ? {} : { queuedMs: lastMs }),
    };
    await this.#write(ruleId, known, {
      queue,
      progress,
      ...(await this.#reportedAfter(ruleId, entry, findings, reported)),
    });
  }

  async #reportedAfter(
    id: string,
    entry: RuleEntry,
    { begun, ended }: { begun: readonly string[]; ended: readonly string[] },
    reported: () => readonly string[],
  ): Promise<Pick<RuleEntry, 'reported' | 'begun' | 'ended'>> {
    const more = new Set(entry.begun);
    const less = new Set(entry.ended);
    for (const one of ended) {
      more.delete(one);
      less.add(one);
    }
    for (const one of begun) more.add(one);
    if (more.size + less.size <= LIMITS.alertReportedChanges.max)
      return { reported: entry.reported, begun: [...more], ended: [...less] };
    const all = new Set(reported());
    for (const one of ended) all.delete(one);
    for (const one of begun) all.add(one);
    return { reported: await this.#entries.writeText(id, encode([...all])), begun: [], ended: [] };
  }

  #sent(known: Known, { ruleId, taken, delivery }: Extract<RuleChange, { kind: 'delivery' }>): Promise<void> {
    const queue = delivery.state === 'off' ? [] : known.entry.queue.filter(({ seq }) => seq !== taken);
    return this.#write(ruleId, known, { queue, delivery });
  }

  async #write(id: string, known: Known, changed: Partial<RuleEntry>): Promise<void> {
    const before = textsOf(known.entry);
    const entry = { ...known.entry, ...changed };
    known.revision = await this.#entries.writeRule(id, entry, known.revision);
    known.entry = entry;
    known.writtenMs = monotonicMs();
    const after = new Set(textsOf(entry).map(({ name }) => name));
    this.#erased(
      this.#entries.dropTexts(
        id,
        before.filter(({ name }) => !after.has(name)),
      ),
    );
  }

  /** False if another writer was quicker. */
  async #takeIndex(store: AlertStore): Promise<boolean> {
    const found = await this.#entries.index<Index>();
    if (found !== null && found.entry.term > this.#options.term) throw new Superseded();
    let ids: readonly string[];
    if (found === null) {
      const rules = store.rules();
      await atOnce(rules, LIMITS.alertEntries.max, (rule) => this.#put(storedRule(store, rule)));
      ids = rules.map(({ id }) => id);
    } else ids = found.entry.ids;
    try {
      this.#indexRevision = found?.revision ?? 0;
      await this.#writeIndex(ids);
      return true;
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      await pause(0);
      return false;
    }
  }

  async #writeIndex(ids: readonly string[]): Promise<void> {
    const index = { term: this.#options.term, ids };
    this.#indexRevision = await this.#entries.writeIndex(index, this.#indexRevision);
    this.#index = index;
  }

  /** Writes a whole rule, whatever was there: it is in no index yet. */
  async #put({ rule, progress, delivery, reported, queue }: StoredRule): Promise<void> {
    const { id } = rule;
    const texts = this.#entries;
    const entry: RuleEntry = {
      term: this.#options.term,
      rule: await texts.writeText(id, encode(rule)),
      progress,
      delivery,
      reported: reported.length === 0 ? null : await texts.writeText(id, encode(reported)),
      begun: [],
      ended: [],
      queue: await Promise.all(
        queue.map(async ({ seq, queuedMs, body }) => ({ seq, queuedMs, body: await texts.writeText(id, body) })),
      ),
    };
    const revision = await texts.writeRule(id, entry, (await texts.rule(id))?.revision ?? 0);
    this.#know(id, { entry, revision });
  }

  #know(id: string, stored: StoredEntry): void {
    this.#rules.set(id, { ...stored, writtenMs: monotonicMs(), turn: Promise.resolve() });
  }

  /** @param ended what it rejects with if another writer stores the alerts */
  async #fenced(work: () => Promise<void>, ended: () => Error = noWriter): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      if (!this.#closed) this.#options.onSuperseded();
      this.close();
      throw ended();
    }
  }

  /** What could not be erased is erased by the next writer. */
  #erased(work: Promise<void>): void {
    work.catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'what is over of alerts could not be erased; the next writer does it'),
    );
  }
}

function textsOf({ rule, reported, queue }: RuleEntry): Text[] {
  return [rule, ...(reported === null ? [] : [reported]), ...queue.map(({ body }) => body)];
}

function storedRule(store: AlertStore, rule: AlertRule): StoredRule {
  const { id } = rule;
  return {
    rule,
    progress: store.progress(id) ?? null,
    delivery: store.delivery(id) ?? null,
    reported: store.reported(id),
    queue: store.queue(id, LIMITS.alertQueue.max),
  };
}

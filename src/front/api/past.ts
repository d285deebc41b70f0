// `at=`: what an odds endpoint answered at an earlier instant. The endpoint's own handler answers, from a table of then.
import { checkAccess, checkHistory } from '../../accounts/access.js';
import type { AccountQueue } from '../../accounts/account-queue.js';
import { callerOf } from '../../accounts/key-record.js';
import { pastTables } from '../../answers/past-tables.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { formatMs, formatUs } from '../../base/model/time.js';
import type { Engine } from '../../engine/engine.js';
import { includes } from '../../schema/parameters.js';
import type { PastQuestion } from '../../store/history/event-log.js';
import { requireHistory } from '../../store/history/queries.js';
import { namesOf, requestedLeagues, requestedSports } from '../../tables/filter/requested-names.js';
import { splitList } from '../../tables/filter/universe.js';
import type { RequestContext } from '../http/context.js';
import { requestWith } from '../http/internal-request.js';
import { jsonWithout } from './answer.js';
import { COST } from './cost.js';
import type { RouteDeps } from './deps.js';
import { type ServedTables, timeUsOf } from './view.js';

/** Not stored: when each price was polled, and what only exchanges count. */
const NOT_KEPT = ['last_seen_at', 'timestamp', 'possibly_stale', 'volume_24h'];

interface PastQuery {
  at?: string | undefined;
  event?: string | undefined;
  sport?: string | undefined;
  league?: string | undefined;
  include?: string | undefined;
}

type Handle<Query> = (tables: ServedTables, context: RequestContext<Query>) => void | Promise<void>;

export class PastAnswers {
  readonly #engine: Engine;
  readonly #history: RouteDeps['history'];
  readonly #costly: AccountQueue;
  readonly #tableAt: ReturnType<typeof pastTables>;

  constructor({ engine, history }: RouteDeps, costly: AccountQueue) {
    this.#engine = engine;
    this.#history = history;
    this.#costly = costly;
    this.#tableAt = pastTables(engine.catalogue);
  }

  /** A handler that answers from the live table, or from one of the instant `at`. */
  handler<Query extends PastQuery>(handle: Handle<Query>, eventOf?: (context: RequestContext<Query>) => string) {
    return (context: RequestContext<Query>): void | Promise<void> =>
      context.query.at === undefined
        ? handle(this.#engine, context)
        : this.#answer(context, handle, eventOf?.(context) ?? context.query.event);
  }

  async #answer<Query extends PastQuery>(context: RequestContext<Query>, handle: Handle<Query>, event?: string) {
    const { catalogue, table, clock } = this.#engine;
    const key = context.requireKey();
    const nowUs = Math.floor(clock.now() * 1000);
    if (context.asked.whole) throw new ApiError('invalid_request', 'limit=all is of the present: leave out at');
    checkAccess(key, { right: 'history' }, clock.now());
    const atUs = timeUsOf('at', context.query.at)!;
    if (atUs > Math.max(nowUs, table.position)) throw new ApiError('invalid_request', 'at: it lies in the future');
    checkHistory(context.tier, atUs, nowUs);
    if (includes(context.query.include, 'depth'))
      throw new ApiError('invalid_request', 'include: history keeps no depth; leave it out with at');
    const known = namesOf(table);
    const ids = (set: ReadonlySet<string> | null) => (set === null ? null : [...set]);
    const question: PastQuestion = {
      atUs,
      events: event === undefined ? null : splitList(event),
      sports: ids(requestedSports(catalogue, known, context.query.sport).ids),
      leagues: ids(requestedLeagues(catalogue, known, context.query.league).ids),
    };
    const ask = requireHistory(this.#history);
    const past = await this.#costly.run(callerOf(key), () => this.#tableAt(question, (one) => ask('past', one)));
    if (past.tooMany)
      throw new ApiError(
        'invalid_request',
        `at: more than ${LIMITS.pastEvents.max} events or ${LIMITS.pastBytes.max} bytes; narrow it by event, league or sport`,
      );
    if (atUs < past.sinceUs) throw new ApiError('not_found', `at: nothing before ${formatUs(past.sinceUs)} is kept`);
    context.spend(past.table.rowCount * COST.composed);
    const tables: ServedTables = {
      catalogue,
      clock: { now: () => atUs / 1000 },
      tableFor: () => past.table,
      notKept: NOT_KEPT,
    };
    await handle(
      tables,
      pastContext(context, (body) => {
        const json = jsonWithout(stated(body, atUs, clock.now()), NOT_KEPT);
        context.sendBuffer(200, 'application/json', Buffer.from(json));
      }),
    );
  }
}

/** The answer of then, sent now. */
function stated(body: { meta: object }, atUs: number, nowMs: number): object {
  const updated_at = formatMs(nowMs);
  return { ...body, meta: { ...body.meta, as_of: formatUs(atUs), updated_at }, updated_at };
}

/** A request of the live endpoint, whose JSON goes to `answered`, and other forms to the caller. */
function pastContext<Query>(
  real: RequestContext<Query>,
  answered: (body: { meta: object }) => void,
): RequestContext<Query> {
  return requestWith<Query, unknown>(real, {
    // An answer of the past has no tag of the live one.
    header: () => '',
    sendTagged({ contentType }, bytesNow) {
      const bytes = bytesNow();
      if (contentType === 'application/json') answered(JSON.parse(Buffer.from(bytes).toString()));
      else real.sendBuffer(200, contentType, bytes);
    },
    sendJson(value, status = 200) {
      if (status === 200) answered(value as { meta: object });
      else real.sendJson(value, status);
    },
  });
}

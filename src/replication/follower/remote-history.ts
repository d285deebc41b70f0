// A front's queries of the history that another process stores.
import type { Bet } from '../../clv/grader.js';
import type { ClvQueries, ClvQuestion, GradedBet, PredictionsAnswer, PredictionsQuestion } from '../../clv/queries.js';
import type { SettledBet, StatedBet } from '../../clv/settler.js';
import type { ClvGroup } from '../../clv/summary.js';
import type { HistoryQuestion, OpeningFields } from '../../history/answers.js';
import type { PastAnswer, PastQuestion } from '../../history/event-log.js';
import type { HistoryQueries, HistoryReply, LinesQuestion } from '../../history/queries.js';
import type { LogSource } from '../port/source.js';
import { DEADLINE_MS, type Requests } from '../requests/requests.js';

export class RemoteHistory implements HistoryQueries, ClvQueries {
  readonly #source: LogSource;

  constructor(source: LogSource) {
    this.#source = source;
  }

  async history(question: HistoryQuestion): Promise<HistoryReply> {
    return (await this.#ask({ history: question })) as HistoryReply;
  }

  async lines(question: LinesQuestion): Promise<string | null> {
    return (await this.#ask({ lines: question })) as string | null;
  }

  async openings(rows: readonly string[]): Promise<Map<string, OpeningFields>> {
    return new Map((await this.#ask({ openings: rows })) as [string, OpeningFields][]);
  }

  async past(question: PastQuestion): Promise<PastAnswer> {
    return (await this.#ask({ past: question })) as PastAnswer;
  }

  async clv(question: ClvQuestion): Promise<ClvGroup[]> {
    return (await this.#ask({ clv: question })) as ClvGroup[];
  }

  async predictions(question: PredictionsQuestion): Promise<PredictionsAnswer> {
    return (await this.#ask({ predictions: question })) as PredictionsAnswer;
  }

  async settleBets(bets: readonly StatedBet[], nowMs: number): Promise<SettledBet[]> {
    return (await this.#ask({ settle: bets, nowMs })) as SettledBet[];
  }

  async gradeBets(bets: readonly Bet[], nowUs: number): Promise<GradedBet[]> {
    return (await this.#ask({ bets, nowUs })) as GradedBet[];
  }

  async #ask(body: Requests['history']['body']): Promise<unknown> {
    return (await this.#source.request('history', body, DEADLINE_MS.history)).reply;
  }
}

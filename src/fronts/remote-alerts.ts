// A front's requests to the alerts that another process stores.
import type { AlertCaller, AlertSource } from '../alerts/source.js';
import { DEADLINE_MS, type Requests } from '../log/requests.js';
import type { LogSource } from '../log/source.js';
import type { AlertRule, AlertState, NewRule } from '../model/alert.js';

export class RemoteAlerts implements AlertSource {
  readonly #writer: Pick<LogSource, 'request'>;

  constructor(writer: Pick<LogSource, 'request'>) {
    this.#writer = writer;
  }

  async list(account: string): Promise<AlertState[]> {
    return (await this.#ask({ list: account })) as AlertState[];
  }

  async create({ id, account, tier }: AlertCaller, rule: NewRule): Promise<AlertRule> {
    return (await this.#ask({ create: rule, caller: { id, account, tier } })) as AlertRule;
  }

  async remove(account: string, id: string): Promise<boolean> {
    return (await this.#ask({ remove: id, account })) as boolean;
  }

  async #ask(body: Requests['alerts']['body']): Promise<unknown> {
    return (await this.#writer.request('alerts', body, DEADLINE_MS.alerts)).reply;
  }
}

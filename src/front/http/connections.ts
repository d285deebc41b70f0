// Counts open connections and refuses those beyond the bound with a 503, before their first request: existing ones are
// not affected. uWebSockets reports every socket that opens, and every one that closes unless it became a WebSocket.
import type { HttpResponse, TemplatedApp } from 'uWebSockets.js';
import { ApiError } from '../../base/model/errors.js';
import type { Admission } from './admission.js';
import type { AnswerHeaders } from './answer-headers.js';

const NOBODY: Admission = { key: undefined, rate: undefined, error: undefined };

export class Connections {
  /** None while it is Infinity. */
  max = Number.POSITIVE_INFINITY;
  open = 0;
  refused = 0;
  readonly #headers: AnswerHeaders;
  readonly #nextNo: () => number;

  constructor(app: TemplatedApp, headers: AnswerHeaders, nextNo: () => number) {
    this.#headers = headers;
    this.#nextNo = nextNo;
    app.filter(this.#changed);
  }

  /** One more (1) or one less (-1). */
  readonly #changed = (response: HttpResponse, change: number): void => {
    this.open += change;
    if (change > 0 && this.open > this.max) this.#refuse(response);
  };

  #refuse(response: HttpResponse): void {
    this.refused++;
    const error = new ApiError('unavailable', 'the server has as many connections as it can', { retryAfter: 1 });
    response.cork(() => {
      this.#headers.write(response, error.status, this.#nextNo(), NOBODY);
      response.writeHeader('Content-Type', 'application/json');
      response.writeHeader('Retry-After', '1');
      response.end(JSON.stringify(error.toBody()), true);
    });
  }
}

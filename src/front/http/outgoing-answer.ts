// How the answer of one exchange is sent: at once or, compressed, later. uWebSockets kills the process for touching a
// dead response, so every write goes through here, and nothing is written once the client has disconnected or the
// answer is sent.
import type { HttpResponse } from 'uWebSockets.js';
import { namesTag } from '../../answers/etag.js';
import type { Transient } from '../../base/memory/transient.js';
import { type Admission, NOBODY } from './admission.js';
import { type AnswerHeaders, type Header, writePreflightHeaders } from './answer-headers.js';
import { type AnswerPacker, acceptedCoding, type Coding, codedTag, PACKED_FROM_BYTES } from './answer-packer.js';
import type { TaggedAnswer } from './context.js';
import type { UnreadBody } from './unread-body.js';

export interface AnswerHost {
  /** True while the server is closing: connections are closed after their answer. */
  readonly draining: boolean;
  readonly headers: AnswerHeaders;
  readonly packer: AnswerPacker;
}

export const CLIENT_GONE = 499;

/**
 * `waiting`: the answer is made and waits for its compression, or for the end of the request's body. `sending`: the
 * socket takes no more of it until the client reads.
 */
type State = 'open' | 'waiting' | 'sending' | 'streaming' | 'done';

export abstract class OutgoingAnswer {
  /** Lower case. */
  abstract readonly method: string;
  admission: Admission = NOBODY;
  /** The header Accept-Encoding. */
  acceptEncoding = '';
  /** The answer is not delayed, whatever the tier. */
  undelayed = false;
  /** For a client that wants the connection closed. */
  unreadBody: UnreadBody | undefined;
  /** The answer may be sent while uWebSockets hands over the request's body. */
  readsBody = false;
  /** uWebSockets closes the connection after the answer, as the client asked. */
  closedByClient = false;
  /** True while uWebSockets' own handler runs, which has corked the socket already. */
  corked = true;
  /** The connection is closed after the answer. */
  protected closing = false;
  protected state: State = 'open';
  protected readonly response: HttpResponse;
  /** The request's number. */
  protected readonly no: number;
  readonly #host: AnswerHost;
  #aborted = false;
  #watched = false;
  #extra: Header[] = NO_HEADERS;
  #closers: (() => void)[] | undefined;
  #keptPosition: number | undefined;

  constructor(host: AnswerHost, response: HttpResponse, no: number) {
    this.#host = host;
    this.response = response;
    this.no = no;
  }

  /** A request header listed in the route's `headers`. */
  abstract header(name: string): string;
  /** The position of the table that is shown now; undefined if nothing of it is. */
  protected abstract position(): number | undefined;
  protected abstract finished(status: number): void;

  get aborted(): boolean {
    return this.#aborted;
  }

  /** True once nothing can be sent any more. */
  get done(): boolean {
    return this.state === 'done';
  }

  /** True if a handler that returned still has to send an answer. */
  get unanswered(): boolean {
    return this.state === 'open';
  }

  keepPosition(): void {
    this.#keptPosition ??= this.position();
  }

  setHeader(name: string, value: string): void {
    checkHeaderText(name, value);
    if (this.#extra === NO_HEADERS) this.#extra = [];
    this.#extra.push([name, value]);
  }

  sendJson(value: unknown, status = 200): void {
    this.sendBuffer(status, 'application/json', Buffer.from(JSON.stringify(value)));
  }

  sendBuffer(status: number, contentType: string, bytes: Uint8Array): void {
    if (this.state !== 'open') return;
    const coding = this.#codingOf(bytes.length);
    const packs =
      coding !== undefined &&
      this.#host.packer.pack(coding, bytes, 0, false, (packed, plain) => {
        if (!this.#resumes()) return;
        if (packed !== undefined) this.setHeader('Content-Encoding', coding);
        this.#sendBytes(status, contentType, packed?.with(NO_BYTES) ?? plain);
      });
    if (packs) this.#pauses();
    else this.#sendBytes(status, contentType, bytes);
  }

  sendTagged(answer: TaggedAnswer, bytesNow: () => Transient): void {
    if (this.state !== 'open') return;
    const coding = this.#codingOf(answer.length);
    if (this.#sendNotModified(answer, coding)) return;
    const bytes = bytesNow();
    const { head } = answer;
    if (coding === undefined) {
      this.#sendBytes(200, head, bytes, isLasting(answer));
      return;
    }
    const { packer } = this.#host;
    const tail = bytes.subarray(bytes.length - answer.tail);
    const known = packer.known(answer, coding);
    if (known !== undefined) {
      this.#sendBytes(200, known.head, known.packed.with(tail), isLasting(answer));
      return;
    }
    const ownTail = Buffer.from(tail);
    const packs = packer.packTagged(answer, coding, bytes, (form, plain) => {
      if (!this.#resumes()) return;
      if (form === undefined) this.#sendBytes(200, head, plain);
      else this.#sendBytes(200, form.head, form.packed.with(ownTail));
    });
    if (packs) this.#pauses();
    else this.#sendBytes(200, head, bytes);
  }

  sendEmpty(status: number): void {
    if (this.state === 'open') this.#sendBytes(status, '', NO_BYTES);
  }

  sendPreflight(): void {
    if (this.state !== 'open') return;
    const write = (): void => {
      this.writeHead(204, '');
      writePreflightHeaders(this.response);
      this.response.endWithoutBody();
    };
    this.inCork(write);
    this.finish(204);
  }

  redirect(location: string): void {
    this.setHeader('Location', location);
    this.sendEmpty(302);
  }

  /** Must be called before uWebSockets' handler returns without an answer. */
  watchAbort(): void {
    if (this.#watched || this.done) return;
    this.#watched = true;
    this.response.onAborted(() => {
      this.#aborted = true;
      this.unreadBody?.aborted();
      this.finish(CLIENT_GONE);
    });
  }

  /** Called once when the exchange is over; at once if it is already. */
  onDone(callback: () => void): void {
    if (this.done) {
      callback();
      return;
    }
    this.#closers ??= [];
    this.#closers.push(callback);
  }

  protected writeHead(status: number, contentType: string | Uint8Array): void {
    const { response } = this;
    const position = this.#keptPosition ?? this.position();
    this.#host.headers.write(response, status, this.no, this.admission, position, this.undelayed);
    if (contentType !== '') response.writeHeader('Content-Type', contentType);
    // A prepared head says it itself. Nothing else may be kept by others: keys, errors, what an account has.
    if (typeof contentType === 'string' && !this.#extra.some(([name]) => name === 'Cache-Control'))
      response.writeHeader('Cache-Control', 'no-store');
    if (this.#extra !== NO_HEADERS) for (const [name, value] of this.#extra) response.writeHeader(name, value);
  }

  /** What it writes leaves together. */
  protected inCork(write: () => void): void {
    if (this.corked) write();
    else this.response.cork(write);
  }

  protected finish(status: number): void {
    if (this.state === 'done') return;
    this.state = 'done';
    this.finished(status);
    const closers = this.#closers;
    if (closers === undefined) return;
    this.#closers = undefined;
    for (const close of closers) close();
  }

  /** How an answer of this length is compressed; undefined if it is sent as it is. */
  #codingOf(length: number): Coding | undefined {
    if (length < PACKED_FROM_BYTES || this.unreadBody?.isAwaited(this.corked) === true) return undefined;
    return acceptedCoding(this.acceptEncoding);
  }

  /** 304 if the caller has the answer as it would be sent now, or uncompressed. */
  #sendNotModified({ etag, cacheControl }: TaggedAnswer, coding: Coding | undefined): boolean {
    const ifNoneMatch = this.header('if-none-match');
    if (ifNoneMatch === '') return false;
    const held = [codedTag(etag, coding), etag].find((tag) => namesTag(ifNoneMatch, tag));
    if (held === undefined) return false;
    this.setHeader('ETag', held);
    this.setHeader('Cache-Control', cacheControl);
    this.sendEmpty(304);
    return true;
  }

  #pauses(): void {
    this.watchAbort();
    this.keepPosition();
    this.state = 'waiting';
  }

  /** False if the client has disconnected meanwhile. */
  #resumes(): boolean {
    if (this.state !== 'waiting') return false;
    this.state = 'open';
    return true;
  }

  /** @param lasting the bytes will not change; else they are the caller's again once this returns */
  #sendBytes(status: number, contentType: string | Uint8Array, bytes: Uint8Array, lasting = false): void {
    if (this.unreadBody?.isAwaited(this.corked) !== true) {
      this.#writeAnswer(status, contentType, bytes, lasting);
      return;
    }
    const kept = lasting ? bytes : Buffer.from(bytes);
    this.#pauses();
    this.unreadBody.whenEnded(this.response, () => {
      if (this.#resumes()) this.#writeAnswer(status, contentType, kept, true);
    });
  }

  #writeAnswer(status: number, contentType: string | Uint8Array, bytes: Uint8Array, lasting: boolean): void {
    const closes = this.closing || this.#host.draining || this.#endsFreeAnswers(status);
    if (this.readsBody && !this.corked && (closes || this.closedByClient)) {
      // Only after this turn: uWebSockets does not see that a connection was closed while it handed over a body, and runs
      // the next request in the bytes it has read on the dead connection. With the answer due it closes it at that request.
      this.readsBody = false;
      const kept = lasting ? bytes : Buffer.from(bytes);
      this.#pauses();
      setImmediate(() => {
        if (this.#resumes()) this.#writeAnswer(status, contentType, kept, true);
      });
      return;
    }
    // If the client resets the connection during this call, what is larger than uWebSockets' own buffer does not end, and a
    // handler that leaves an answer open without this kills the process.
    if (closes) this.watchAbort();
    let isSent = true;
    const write = (): void => {
      this.writeHead(status, contentType);
      if (closes || bytes.length === 0 || this.method === 'head' || status === 204 || status === 304)
        this.#writeWhole(status, bytes, closes);
      else isSent = this.response.tryEnd(bytes, bytes.length)[1];
    };
    this.inCork(write);
    if (isSent) this.finish(status);
    else this.#sendRest(status, bytes, lasting);
  }

  /**
   * What nobody is charged for must not pile up at a client that does not read, and of what fits into uWebSockets' buffer
   * it does not say whether the socket took it. So now and then the connection ends with the answer.
   */
  #endsFreeAnswers(status: number): boolean {
    return (this.admission.key === undefined || status >= 400) && this.no % FREE_ANSWERS === 0;
  }

  #writeWhole(status: number, bytes: Uint8Array, closes: boolean): void {
    const { response } = this;
    if (this.closing) {
      // endWithoutBody() cannot close: so the answer to HEAD states no length.
      response.end(this.method === 'head' ? NO_BYTES : bytes, true);
    } else if (this.method === 'head') {
      response.writeHeader('Content-Length', String(bytes.length));
      response.endWithoutBody();
    } else if (status === 204 || status === 304) {
      response.endWithoutBody();
    } else {
      // Also if the body was refused: uWebSockets skips the rest of it. Closing would reset the connection while the
      // client is sending, and most clients would then report that instead of the answer.
      response.end(bytes, closes);
    }
  }

  /** As the client reads: one that sends a further request before it has read its answer loses the connection. */
  #sendRest(status: number, bytes: Uint8Array, lasting: boolean): void {
    const { response } = this;
    this.watchAbort();
    this.state = 'sending';
    const sent = response.getWriteOffset();
    const rest = lasting ? bytes.subarray(sent) : Buffer.from(bytes.subarray(sent));
    response.onWritable((offset) => {
      const [isTaken, isSent] = response.tryEnd(rest.subarray(offset - sent), bytes.length);
      if (isSent) this.finish(status);
      return isTaken;
    });
  }
}

function isLasting({ lasting, tail }: TaggedAnswer): boolean {
  return lasting && tail === 0;
}

/** Of those without a charge one in so many. */
const FREE_ANSWERS = 64;
const NO_BYTES = new Uint8Array(0);
const NO_HEADERS: Header[] = [];

/** A line break in a header's value would let its author add headers. */
function checkHeaderText(name: string, value: string): void {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) throw new Error(`the header ${name} has a control character`);
  }
}

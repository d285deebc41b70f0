// Refuses requests whose length or host can be read in two ways. A proxy in front of us that reads them the other way
// would take a part of one caller's body for the next caller's request. What uWebSockets' parser refuses by itself
// (Content-Length beside Transfer-Encoding, HTTP/1.0, a header without a colon) never gets here.

import type { HttpRequest } from 'uWebSockets.js';
import { ApiError } from '../../base/model/errors.js';

// Counted in the module: a closure for each request would cost more than the counting.
let hosts = 0;
let lengths = 0;
let encodings = 0;
let length = '';
let encoding = '';

/** Names come in lower case. */
function count(name: string, value: string): void {
  switch (name) {
    case 'host':
      hosts++;
      break;
    case 'content-length':
      lengths++;
      length = value;
      break;
    case 'transfer-encoding':
      encodings++;
      encoding = value;
      break;
  }
}

/** Why a request is refused; undefined if it can be read in one way only. */
export function ambiguity(request: HttpRequest): ApiError | undefined {
  hosts = 0;
  lengths = 0;
  encodings = 0;
  request.forEach(count);
  if (hosts > 1) return refused('there are several headers Host');
  if (lengths === 0 && encodings === 0) return undefined;
  if (lengths > 1) return refused('there are several headers Content-Length');
  if (lengths + encodings > 1) return refused('the length is stated in several ways');
  if (lengths === 1 && !/^\d+$/.test(length)) return refused('Content-Length is no length');
  // uWebSockets reads every other value as this one.
  if (encodings === 1 && encoding.toLowerCase() !== 'chunked')
    return refused('the only Transfer-Encoding read is chunked');
  return undefined;
}

function refused(message: string): ApiError {
  return new ApiError('invalid_request', message);
}

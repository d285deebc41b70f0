// The program's log: JSON lines on standard output. It must never contain an API key: keys are cut from queries before
// they are logged, and whatever looks like a key or is named as one is removed here as the last line of defence.
import { type DestinationStream, type Logger, pino } from 'pino';
import { ApiError } from '../../base/model/errors.js';
import { isNoRoom } from '../../base/model/storage-error.js';
import type { Config } from '../../config/config.js';

export type Log = Logger;

const SECRET_FIELDS = ['api_key', 'apiKey', 'key', 'token', 'authorization', 'x-api-key'];

/** @param label added to every line: the process that wrote it, if there are several */
export function createLog(
  level: Config['logLevel'],
  destination: DestinationStream = process.stdout,
  label?: string,
): Log {
  const options = {
    level,
    base: label === undefined ? null : { process: label },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // A full disk or an engine that is being replaced is no fault of the program: the stack says nothing, and comes with
    // each attempt.
    serializers: {
      err: (error: Error) =>
        error instanceof ApiError || isNoRoom(error)
          ? { type: error.name, message: error.message }
          : pino.stdSerializers.err(error),
    },
    redact: { paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`]), censor: '[secret]' },
  };
  return pino(options, { write: (line) => destination.write(withoutKeys(line)) });
}

/** Keys, viewer tokens and alerts' secrets, wherever they stand, also percent-encoded; their kind is left. */
const KEYS = /\b(sk(?:_|%5f)(?:live|test)(?:_|%5f)|vt(?:_|%5f)|whsec(?:_|%5f))[\w.%+/=-]{8,}/gi;
/** Values of parameters with such names in an address. */
const NAMED = /((?:api(?:_|-|%5f|%2d)?key|token|secret|password|authorization)(?:=|%3d))[^&;"\\\s]+/gi;

function withoutKeys(line: string): string {
  return line.replace(KEYS, '$1[secret]').replace(NAMED, '$1[secret]');
}

// The program's log: JSON lines on standard output. An API key must never stand in one: whoever logs a URL logs the
// query without it, and what looks like a key field is cut here as the last line of defence.
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.js';

export type Log = Logger;

const SECRET_FIELDS = ['api_key', 'apiKey', 'key', 'token', 'authorization', 'x-api-key'];

/** @param label stands in every line: which process wrote it, where there are several */
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
    redact: { paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`]), censor: '[secret]' },
  };
  return pino(options, destination);
}

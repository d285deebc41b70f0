// The program's log: JSON lines on standard output. It must never contain an API key: URLs are logged without their
// query, and fields that look like a key are removed here as the last line of defence.
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.js';

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
    redact: { paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`]), censor: '[secret]' },
  };
  return pino(options, destination);
}

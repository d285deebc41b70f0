// The text printed when the server is up: where everything is, and a line to try each with.
import type { Tier } from '../rules/catalogue/types.js';

export interface BannerOptions {
  host: string;
  port: number;
  /** True if the prices are simulated: only then are there test keys to show. */
  simulated: boolean;
  testKeys: readonly { tier: Tier; key: string }[];
  /** The recording that is served, and a key that may move its time. */
  recording?: { file: string; key: string | undefined } | undefined;
  /** The command that makes a key for this server. */
  makeKey: string;
}

/** Lines of plain text, without a line break at the end. */
export function startBanner({ host, port, simulated, testKeys, makeKey, recording }: BannerOptions): string {
  const address = `${hostOfUrl(host)}:${port}`;
  const http = `http://${address}`;
  const shown = simulated ? testKeys : [];
  const key = shown.at(-1)?.key ?? recording?.key ?? '$KEY';
  const curl = `curl -s -H 'X-API-Key: ${key}'`.replace("'X-API-Key: $KEY'", '"X-API-Key: $KEY"');
  const lines = [
    recording !== undefined
      ? `overround is up with the recording ${recording.file}, on the recording's own clock.`
      : simulated
        ? 'overround is up with SIMULATED odds: every price is made up, for trying things out.'
        : 'overround is up.',
    '',
    'Make a key (any time, beside the running server):',
    `  ${makeKey}`,
    '',
    // The part after # stays in the browser.
    `dashboard  ${http}/dashboard${shown.length > 0 ? `#key=${key}` : ''}`,
    `REST       ${http}/api/v1`,
    `           ${curl} '${http}/api/v1/odds?limit=3'`,
    `stream     ${http}/api/v1/stream`,
    `           ${curl} -N '${http}/api/v1/stream?channel=all'`,
    `WebSocket  ws://${address}/ws`,
    `           ${curl} -N --http1.1 ${UPGRADE} '${http}/ws?channels=odds'`,
    `MCP        ${http}/mcp`,
    `           ${curl} ${MCP_CALL} ${http}/mcp`,
    `docs       ${http}/docs`,
    `           curl -s ${http}/api/v1/openapi.json`,
  ];
  if (recording !== undefined) {
    lines.push(
      `replay     ${http}/api/v1/replay`,
      `           ${curl} -H 'Content-Type: application/json' -d '{"action":"pause"}' ${http}/api/v1/replay`,
    );
    if (shown.length === 0 && recording.key !== undefined)
      lines.push('', `key of this run (enterprise, ingest): ${recording.key}`);
  }
  if (shown.length > 0) {
    lines.push('', 'test keys, one per tier:', ...shown.map((entry) => `  ${entry.tier.padEnd(10)} ${entry.key}`));
  }
  return lines.join('\n');
}

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: b3ZlcnJvdW5kLWhlbGxvIQ==',
]
  .map((header) => `-H '${header}'`)
  .join(' ');

const MCP_CALL = [
  "-H 'Content-Type: application/json'",
  "-H 'Accept: application/json, text/event-stream'",
  `-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
].join(' ');

/** An address that can be called: wildcard addresses are replaced, and IPv6 is bracketed. */
function hostOfUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

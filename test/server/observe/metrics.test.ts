import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { diagnosticChannels } from '../../../src/base/diagnostics/diagnostic-channels.js';
import { processRegistry } from '../../../src/server/observe/meters.js';
import { observeHttp } from '../../../src/server/observe/stage-metrics.js';

test('answers are counted by route and status, and their times fall into growing buckets', async (t) => {
  const registry = new Registry();
  const watched = { inFlight: 3, connections: { open: 2, refused: 1 } };
  t.after(observeHttp(registry, watched, watched));
  const route = { method: 'GET', path: '/odds' };
  for (const [status, ms] of [
    [200, 0.05],
    [200, 0.1],
    [429, 3],
    [200, 60_000],
  ] as const) {
    diagnosticChannels.httpRequest.publish({ source: watched, route, status, ms });
    // Of another server in this process.
    diagnosticChannels.httpRequest.publish({ source: registry, route, status, ms });
  }
  for (let scrape = 0; scrape < 2; scrape++) {
    const lines = (await registry.metrics()).split('\n');
    const value = (name: string) =>
      Number(
        lines
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')
          .at(-1),
      );
    const odds = 'method="GET",route="/odds"';
    assert.equal(value(`overround_http_requests_total{${odds},status="200"}`), 3);
    assert.equal(value(`overround_http_requests_total{${odds},status="429"}`), 1);
    assert.equal(value(`overround_http_request_seconds_bucket{${odds},le="0.0001"}`), 2);
    assert.equal(value(`overround_http_request_seconds_bucket{${odds},le="0.0025"}`), 2);
    assert.equal(value(`overround_http_request_seconds_bucket{${odds},le="0.005"}`), 3);
    assert.equal(value(`overround_http_request_seconds_bucket{${odds},le="+Inf"}`), 4);
    assert.equal(value(`overround_http_request_seconds_count{${odds}}`), 4);
    assert.ok(Math.abs(value(`overround_http_request_seconds_sum{${odds}}`) - 60.003_15) < 1e-9);
    assert.equal(value('overround_http_requests_in_flight'), watched.inFlight);
    assert.equal(value('overround_http_connections'), 2);
    assert.equal(value('overround_http_connections_refused_total'), 1);
    assert.ok(lines.includes('# TYPE overround_http_request_seconds histogram'));
    watched.inFlight = 0;
  }
});

test('the process has metrics of its own', async () => {
  assert.match(await processRegistry().metrics(), /process_cpu_user_seconds_total/);
});

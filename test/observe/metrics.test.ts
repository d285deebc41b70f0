import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../src/observe/metrics.js';

test('answers are counted by route and status, and their times fall into growing buckets', async () => {
  const { registry, http } = createMetrics(false);
  const meter = http.route('GET', '/odds');
  http.route('GET', '/never');
  let inFlight = 3;
  http.watchInFlight(() => inFlight);
  for (const [status, seconds] of [
    [200, 0.000_05],
    [200, 0.000_1],
    [429, 0.003],
    [200, 60],
  ] as const) {
    meter.answered(status, seconds);
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
    assert.equal(value('overround_http_requests_in_flight'), inFlight);
    assert.ok(!lines.some((line) => line.includes('/never')));
    assert.ok(lines.includes('# TYPE overround_http_request_seconds histogram'));
    inFlight = 0;
  }
});

test('the process tells of itself where that is wanted', async () => {
  assert.match(await createMetrics().registry.metrics(), /process_cpu_user_seconds_total/);
});

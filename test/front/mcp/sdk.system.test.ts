// Loading the MCP SDK.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const SDK = new URL('../../../src/front/mcp/sdk.js', import.meta.url).href;

test('the SDK is loaded also when every file descriptor is in use', {
  skip: spawnSync('prlimit', ['--version']).status !== 0 && 'prlimit is not installed',
}, () => {
  const script = `
    import { openSync } from 'node:fs';
    import { execFileSync } from 'node:child_process';
    const { mcpSdk } = await import('${SDK}');
    execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=100:']);
    try { for (;;) openSync('/dev/null', 'r'); } catch ({ code }) { console.log(code); }
    console.log(typeof mcpSdk().createMcpHandler);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(stdout, 'EMFILE\nfunction\n', stderr);
});

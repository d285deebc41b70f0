// Files of pages while the process has no free file descriptor.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const ROUTES = new URL('../../../src/front/api/', import.meta.url).href;
const PATHS = ['/docs/api/swagger-ui.js', '/dashboard/desk.js', '/board.js', '/dashboard'];

test('a file that could not be read for want of a file descriptor is served once there is one', {
  skip: spawnSync('prlimit', ['--version']).status !== 0 && 'prlimit is not installed',
}, () => {
  const script = `
    import { closeSync, openSync } from 'node:fs';
    import { execFileSync } from 'node:child_process';
    const { openApiRoutes } = await import('${ROUTES}openapi.js');
    const { dashboardRoutes } = await import('${ROUTES}dashboard.js');
    const routes = [...openApiRoutes([], () => new Map()), ...dashboardRoutes()];
    const request = (path) => {
      const found = routes.find((route) => route.path === path) ?? routes.find(({ path: of }) => of === '/dashboard/:file');
      let bytes = 0;
      const sendTagged = (answer) => { bytes = answer.length; };
      const params = { file: 'desk.js' };
      try { found.handler({ params, header: () => '', setHeader() {}, sendTagged }); } catch ({ code }) { return code; }
      return bytes > 0;
    };
    const all = () => console.log(${JSON.stringify(PATHS)}.map(request).join());
    execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=100:']);
    const open = [];
    try { for (;;) open.push(openSync('/dev/null', 'r')); } catch {}
    all();
    for (const file of open) closeSync(file);
    all();`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(stdout, 'EMFILE,EMFILE,EMFILE,EMFILE\ntrue,true,true,true\n', stderr);
});

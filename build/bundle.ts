// Bundles the scripts and styles of the pages, so that a page is a handful of requests and needs no bundler where it
// runs, and the threads' programs, so that a thread begins with one file: node dist/build/bundle.js [--watch]. With
// --watch, a server with the simulated market runs and starts again with every change: further arguments are passed to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type BuildOptions, build, context } from 'esbuild';

const OUT = 'dist/dashboard/pages';
/** Whose code is part of the bundles. */
const BUNDLED = ['lit-html', 'uplot'];

const COMMON: BuildOptions = {
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'eof',
  logLevel: 'warning',
};

/** Each page by itself: what they share as a file of its own would be asked for only after the page's script came. */
const PAGES = ['desk', 'status'].map(
  (page): BuildOptions => ({
    ...COMMON,
    entryPoints: [`dashboard/${page}.ts`, `dashboard/${page}.css`],
    outdir: OUT,
    // What only some views need, charts, is a file of its own that is loaded when it is needed.
    splitting: true,
    chunkNames: '[name]-[hash]',
  }),
);

/** The element for other pages is one file, which programs that render pages on a server can load as well. */
const ELEMENT: BuildOptions = {
  ...COMMON,
  entryPoints: ['dashboard/board-element.ts'],
  outdir: 'dist/dashboard',
  conditions: ['node'],
};

/** In place of what the compiler makes of them: a thread that loads its hundred modules one by one begins much later. */
const THREADS: BuildOptions = {
  bundle: true,
  entryPoints: readdirSync('workers').map((name) => `workers/${name}`),
  outdir: 'dist/workers',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
};

function copyPages(): void {
  for (const name of ['desk.html', 'status.html']) copyFileSync(`dashboard/${name}`, `${OUT}/${name}`);
  const notices = BUNDLED.map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8')}`);
  writeFileSync(`${OUT}/LICENSES.txt`, notices.join('\n\n'));
}

async function watch(args: readonly string[]): Promise<void> {
  let server: ChildProcess | undefined;
  const restart = (): void => {
    copyPages();
    server?.kill();
    server = spawn(process.execPath, ['dist/src/main.js', 'serve', ...args], { stdio: 'inherit' });
  };
  const plugins = [{ name: 'restart', setup: ({ onEnd }: { onEnd(run: () => void): void }) => onEnd(restart) }];
  await (await context({ ...ELEMENT, logLevel: 'info' })).watch();
  for (const page of PAGES) await (await context({ ...page, logLevel: 'info', plugins })).watch();
  process.on('SIGINT', () => {
    server?.kill();
    process.exit();
  });
}

rmSync(OUT, { recursive: true, force: true });
const [, , mode, ...rest] = process.argv;
await Promise.all([...PAGES, ELEMENT, THREADS].map((options) => build(options)));
copyPages();
if (mode === '--watch') await watch(rest);

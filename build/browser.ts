// The system's browser, for tests and screenshots of pages. None is downloaded.
import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Path of the system's browser; undefined where there is none. */
export const BROWSER = NAMES.map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout?.trim()).find(
  Boolean,
);

/** Throws where there is no browser. */
export function launchBrowser(): Promise<Browser> {
  if (BROWSER === undefined) throw new Error(`none of ${NAMES.join(', ')} is installed`);
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath: BROWSER, args });
}

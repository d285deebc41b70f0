// uWebSockets' binary has the known hash, or it is not loaded.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { checkBinary, NATIVE_PACKAGES, nativeFile, nativeFolder } from '../../src/server/native-code.js';
import { newFolder } from '../temp-folders.js';

const [PACK] = NATIVE_PACKAGES as [(typeof NATIVE_PACKAGES)[number]];

test('every binary of the installed packages that may be loaded has a known hash', () => {
  for (const native of NATIVE_PACKAGES) {
    const folder = nativeFolder(native);
    assert.ok(folder !== undefined, `${native.name} is installed`);
    const manifest = new URL(`../../node_modules/${native.name}/package.json`, import.meta.url.replace('/dist/', '/'));
    const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name: string; version: string };
    assert.equal(`${name} ${version}`, native.release, 'another version: take over its sums');
    for (const file of Object.keys(native.sha256)) checkBinary(native, folder, file);
  }
  assert.ok(nativeFile() in PACK.sha256);
});

test('a changed byte, a missing file and an unknown one are refused in one line', () => {
  const folder = newFolder('overround-native-');
  const url = pathToFileURL(`${folder}/`);
  assert.throws(() => checkBinary(PACK, url), /^Error: uWebSockets: uws_\S+ cannot be read \(ENOENT\); install anew/);
  const bytes = readFileSync(new URL(nativeFile(), nativeFolder(PACK)!));
  writeFileSync(join(folder, nativeFile()), bytes);
  checkBinary(PACK, url);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(join(folder, nativeFile()), bytes);
  assert.throws(() => checkBinary(PACK, url), /is not that of uws-pack .*--native-code any$/);
  // If there is no binary for this Node.js, loading it reports that; an unknown binary is not loaded.
  checkBinary(PACK, url, 'uws_aix_ppc64_127.node');
  writeFileSync(join(folder, 'uws_aix_ppc64_127.node'), bytes);
  assert.throws(() => checkBinary(PACK, url, 'uws_aix_ppc64_127.node'), /is none of uws-pack .*--native-code any$/);
});

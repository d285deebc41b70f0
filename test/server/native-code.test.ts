// uWebSockets' binary has the known hash, or it is not loaded.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  checkNativeCode,
  NATIVE_PACKAGE,
  NATIVE_SHA256,
  nativeFile,
  nativeFolder,
} from '../../src/server/native-code.js';
import { newFolder } from '../temp-folders.js';

test('every binary of the installed package that may be loaded has a known hash', () => {
  const text = readFileSync(new URL('../../package.json', nativeFolder()), 'utf8').trim();
  const { name, version } = JSON.parse(text) as { name: string; version: string };
  assert.equal(`${name} ${version}`, NATIVE_PACKAGE, 'another version: take over its sums');
  for (const file of Object.keys(NATIVE_SHA256)) checkNativeCode(nativeFolder(), file);
  assert.ok(nativeFile() in NATIVE_SHA256);
});

test('a changed byte, a missing file and an unknown one are refused in one line', () => {
  const folder = newFolder('overround-native-');
  const url = pathToFileURL(`${folder}/`);
  assert.throws(() => checkNativeCode(url), /^Error: uWebSockets: uws_\S+ cannot be read \(ENOENT\); install anew/);
  const bytes = readFileSync(new URL(nativeFile(), nativeFolder()));
  writeFileSync(join(folder, nativeFile()), bytes);
  checkNativeCode(url);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(join(folder, nativeFile()), bytes);
  assert.throws(() => checkNativeCode(url), /is not that of uws-pack .*--native-code any$/);
  // If there is no binary for this Node.js, loading it reports that; an unknown binary is not loaded.
  checkNativeCode(url, 'uws_aix_ppc64_127.node');
  writeFileSync(join(folder, 'uws_aix_ppc64_127.node'), bytes);
  assert.throws(() => checkNativeCode(url, 'uws_aix_ppc64_127.node'), /is none of uws-pack .*--native-code any$/);
});

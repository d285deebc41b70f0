// The log position stored beside a data directory, on a full disk.
import assert from 'node:assert/strict';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepPlace, placeOf, spoilPlace } from '../../src/cluster/identity.js';
import { systemClock } from '../../src/model/clock.js';
import { makeIdentity, writeIdentity } from '../../src/store/data-directory.js';
import { tempFolder } from '../engine-rig.js';

test('a directory that is to be filled anew says so although the disk has no room for another file', (t) => {
  const dataDir = tempFolder(t);
  const identity = { ...writeIdentity(dataDir, makeIdentity(1, systemClock)), empty: false };
  const place = { sequence: 12_345, mark: { term: 7, counter: 12_345 } };
  keepPlace(dataDir, identity.epoch, place);
  mkdirSync(join(dataDir, 'cluster.json.new'));
  assert.throws(() => keepPlace(dataDir, identity.epoch, { ...place, sequence: 12_346 }));
  assert.deepEqual(placeOf(dataDir, identity), place);
  spoilPlace(dataDir, identity.epoch);
  assert.equal(placeOf(dataDir, identity), null);
  rmdirSync(join(dataDir, 'cluster.json.new'));
  keepPlace(dataDir, identity.epoch, place);
  assert.deepEqual(placeOf(dataDir, identity), place);
});

import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { Zip, ZipDeflate, ZipPassThrough, zipSync } from 'fflate';
import { pack } from 'tar-stream';
import { sourcesOf } from '../../../../src/intake/feeds/files/sources.js';
import { newFolder } from '../../../temp-folders.js';

/** `hello\n`, as bzip2 packs it. */
const BZIP2 = Buffer.from('QlpoOTFBWSZTWcHAgOIAAAFBAAAQAkSgADDNAMNGKZcXckU4UJDBwIDi', 'base64');

async function tar(files: Record<string, Buffer>): Promise<Buffer> {
  const archive = pack();
  for (const [name, bytes] of Object.entries(files)) archive.entry({ name }, bytes);
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

async function textsIn(
  files: Record<string, Buffer>,
  bad: string[] = [],
  cut: string[] = [],
): Promise<Record<string, string>> {
  const folder = newFolder('overround-sources-');
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const texts: Record<string, string> = {};
  const onUnreadable = (name: string, reason: string): void =>
    void bad.push(`${name.slice(folder.length + 1)}: ${reason}`);
  const onCutShort = (name: string): void => void cut.push(name.slice(folder.length + 1));
  for await (const { name, bytes } of sourcesOf(folder, { onUnreadable, onCutShort })) {
    const parts: Buffer[] = [];
    for await (const part of bytes) {
      // Whoever reads slowly gets all of it, too.
      await new Promise((resolve) => setImmediate(resolve));
      parts.push(part);
    }
    texts[name.slice(folder.length + 1)] = Buffer.concat(parts).toString();
  }
  return texts;
}

test('what is packed is read whichever way it is packed, in folders and archives of archives', async () => {
  const hello = Buffer.from('hello\n');
  const big = Buffer.from('0123456789\n'.repeat(100_000));
  const files = {
    plain: hello,
    gzip: gzipSync(hello),
    bzip2: BZIP2,
    zip: Buffer.from(zipSync({ 'a.csv': hello, 'in/b.csv.gz': gzipSync(big), 'c.bz2': BZIP2 })),
    tar: await tar({ 'x.bz2': BZIP2, y: big }),
    tgz: gzipSync(await tar({ z: hello })),
  };
  const texts = await textsIn(files);
  assert.deepEqual(
    Object.entries(texts).map(([name, text]) => [name, text.length]),
    [
      ['bzip2', 6],
      ['gzip', 6],
      ['plain', 6],
      ['tar/x.bz2', 6],
      ['tar/y', big.length],
      ['tgz/z', 6],
      ['zip/a.csv', 6],
      ['zip/in/b.csv.gz', big.length],
      ['zip/c.bz2', 6],
    ],
  );
  assert.equal(texts['zip/c.bz2'], 'hello\n');
});

test('a compressed file that is cut short is read as far as it goes, and told by its name', async () => {
  const text = Array.from({ length: 60_000 }, (_, i) => `${i} ${Math.imul(i, 2_654_435_761) >>> 0}\n`).join('');
  const whole = gzipSync(text);
  const two = Buffer.concat([gzipSync('first\n'), whole]);
  const cut: string[] = [];
  const files = {
    'a-whole.gz': whole,
    'b-two.gz': two,
    'c-half.gz': whole.subarray(0, whole.length >> 1),
    'd-no-end.gz': whole.subarray(0, whole.length - 8),
    'e-head.gz': whole.subarray(0, 5),
    'f-second.gz': two.subarray(0, two.length - 1_000),
    'g.zip': Buffer.from(zipSync({ 'in.gz': whole.subarray(0, 100_000) })),
  };
  const texts = await textsIn(files, [], cut);
  assert.deepEqual(cut, ['c-half.gz', 'd-no-end.gz', 'e-head.gz', 'f-second.gz', 'g.zip/in.gz']);
  assert.equal(texts['a-whole.gz'], text);
  assert.equal(texts['b-two.gz'], `first\n${text}`);
  assert.equal(texts['d-no-end.gz'], text);
  assert.equal(texts['e-head.gz'], '');
  assert.ok(texts['c-half.gz']!.length > text.length / 3 && text.startsWith(texts['c-half.gz']!));
  assert.ok(texts['f-second.gz']!.length > text.length / 2 && `first\n${text}`.startsWith(texts['f-second.gz']!));
});

test('an old workbook and a damaged archive are told by name, and the others are read', async () => {
  const bad: string[] = [];
  const xls = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]);
  const cut = Buffer.from('PK\x03\x04 and no more');
  const texts = await textsIn(
    {
      'a.bz2': Buffer.concat([BZIP2.subarray(0, 20), BZIP2.subarray(21)]),
      'b.xls': xls,
      c: Buffer.from('hello\n'),
      'd.zip': cut,
    },
    bad,
  );
  assert.deepEqual(texts, { c: 'hello\n' });
  assert.equal(bad.length, 3);
  assert.equal(bad[0], 'a.bz2: bzip2 data that is damaged');
  assert.equal(bad[2], 'd.zip: a zip archive that is cut short');
  assert.equal(bad[1], 'b.xls: an old workbook (.xls): save it as .xlsx or CSV');
});

test('a line without an end is not read on, and what is before it stays', async () => {
  const bad: string[] = [];
  const endless = Buffer.concat([Buffer.from('a,b\n1,2\n'), Buffer.alloc(16 * 1024 * 1024, 'x')]);
  const texts = await textsIn({ 'a.gz': gzipSync(endless), b: Buffer.from('hello\n') }, bad);
  assert.deepEqual(texts, { 'a.gz': 'a,b\n1,2\n', b: 'hello\n' });
  assert.deepEqual(bad, ['a.gz: a line of more than 8388608 bytes']);
});

/** As programs write it that do not know yet what is in it: checksums stand behind the entries. */
function streamedZip(files: Record<string, Buffer>): Buffer {
  const parts: Buffer[] = [];
  const archive = new Zip((_error, part) => parts.push(Buffer.from(part)));
  for (const [name, bytes] of Object.entries(files)) {
    const entry = new ZipDeflate(name);
    archive.add(entry);
    entry.push(bytes, true);
  }
  archive.end();
  return Buffer.concat(parts);
}

test('a file in a zip archive that is another than its checksum says is told by its name', async () => {
  const lines = (seed: number): Buffer =>
    Buffer.from(Array.from({ length: 60_000 }, (_, i) => `${i} ${Math.imul(i + seed, 2_654_435_761)}\n`).join(''));
  const files = { 'a.csv': lines(1), 'in/größe.csv': lines(2), 'e.csv': Buffer.from('end\n'), none: Buffer.alloc(0) };
  for (const [kind, whole] of [
    ['stored', Buffer.from(zipSync(files, { level: 0 }))],
    ['deflated', Buffer.from(zipSync(files))],
    ['streamed', streamedZip(files)],
  ] as const) {
    const bad: string[] = [];
    assert.equal((await textsIn({ 'x.zip': whole }, bad))['x.zip/a.csv'], lines(1).toString());
    assert.deepEqual(bad, [], kind);
    for (const name of ['a.csv', 'in/größe.csv', 'e.csv'] as const) {
      const crc = Buffer.alloc(4);
      crc.writeUInt32LE(crc32(files[name]));
      const damaged = Buffer.from(whole);
      for (let at = damaged.indexOf(crc); at !== -1; at = damaged.indexOf(crc, at)) damaged[at]! ^= 1;
      const told: string[] = [];
      await textsIn({ 'x.zip': damaged, z: Buffer.from('z\n') }, told);
      assert.deepEqual(told, [`x.zip/${name}: its checksum is another than the archive states`], kind);
      const path = join(newFolder('overround-sources-'), 'y.zip');
      writeFileSync(path, damaged);
      await assert.rejects(
        async () => {
          for await (const { bytes } of sourcesOf(path)) for await (const _ of bytes);
        },
        { message: `${path}/${name}: its checksum is another than the archive states` },
      );
    }
  }
});

test('an archive that is cut short anywhere is read as far as it goes, and told by its name', async () => {
  const lines = (seed: number): Buffer =>
    Buffer.from(Array.from({ length: 20_000 }, (_, i) => `${i} ${Math.imul(i + seed, 2_654_435_761)}\n`).join(''));
  const files = { 'a.csv': lines(1), 'b/c.csv': lines(2), 'e.csv': Buffer.from('end\n') };
  for (const [name, whole, kept] of [
    ['x.zip', Buffer.from(zipSync(files)), 0.9],
    ['y.tar', await tar(files), 1],
    ['y.tgz', gzipSync(await tar(files)), 0.9],
  ] as const)
    for (const share of [0.1, 0.3, 0.6, 0.9]) {
      const [bad, cut]: [string[], string[]] = [[], []];
      const texts = await textsIn({ [name]: whole.subarray(0, whole.length * share), 'z.csv': lines(3) }, bad, cut);
      assert.deepEqual([cut, bad], [[name], []], `${name} at ${share}`);
      assert.equal(texts['z.csv'], lines(3).toString());
      let length = 0;
      for (const [inner, bytes] of Object.entries(files)) {
        const text = texts[`${name}/${inner}`] ?? '';
        assert.ok(bytes.toString().startsWith(text) && !/[^\n]$/.test(text), 'no line that is not whole');
        length += text.length;
      }
      const has = (lines(1).length + lines(2).length) * share;
      assert.ok(length > has * kept - 100_000 && length > 0, `${name} at ${share}: ${length} of ${Math.round(has)}`);
    }
});

test('a bzip2 file that is cut short has what is whole of it', async () => {
  const five = Buffer.concat(Array.from({ length: 5 }, () => BZIP2));
  const cut: string[] = [];
  const files = {
    'a.bz2': five,
    'b.bz2': five.subarray(0, five.length - 20),
    'c.bz2': five.subarray(0, five.length - 1),
    'd.bz2': BZIP2.subarray(0, 30),
  };
  const texts = await textsIn(files, [], cut);
  assert.deepEqual(
    Object.values(texts).map((text) => text.length / 6),
    [5, 4, 5, 0],
  );
  assert.deepEqual(cut, ['b.bz2', 'c.bz2', 'd.bz2']);
});

test('of a table that is cut short the last line is left out if it may be cut, and of JSON it stays', async () => {
  const table = gzipSync(['a,b', ...Array.from({ length: 9_000 }, (_, i) => `${i},${Math.sin(i)}`)].join('\n'));
  const lines = gzipSync(Array.from({ length: 9_000 }, (_, i) => `{"i":${i},"sin":${Math.sin(i)}}`).join('\n'));
  const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1);
  const inner = Buffer.from(zipSync({ 'in.gz': half(table), 'b.csv': Buffer.from('a,b\n1,2') }));
  const texts = await textsIn({ 'a.gz': half(table), 'b.gz': half(lines), 'c.gz': table, 'd.zip': inner });
  for (const name of ['a.gz', 'd.zip/in.gz'])
    assert.ok(texts[name]!.endsWith('\n') && texts[name]!.length > 50_000, name);
  assert.ok(texts['b.gz']!.length > 50_000 && !texts['b.gz']!.endsWith('\n'));
  assert.ok(texts['c.gz']!.endsWith(String(Math.sin(8_999))));
  assert.equal(texts['d.zip/b.csv'], 'a,b\n1,2');
});

test('a file that is damaged in its middle is told and ends there; the others are read', async () => {
  const text = Array.from({ length: 60_000 }, (_, i) => `${i} ${Math.imul(i, 2_654_435_761)}\n`).join('');
  const packed = gzipSync(text);
  packed.fill(0xff, packed.length - 50_000, packed.length - 49_900);
  const bad: string[] = [];
  const archive = Buffer.from(
    zipSync({
      'a.gz': packed,
      'b.csv': Buffer.from('b\n'),
      'c.xls': Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    }),
  );
  const archived = gzipSync(await tar({ 'x.csv': Buffer.from(text), 'y.csv': Buffer.from('y\n') }));
  archived.fill(0xff, archived.length - 50_000, archived.length - 49_900);
  const texts = await textsIn(
    { 'a.gz': packed, 'b.csv': Buffer.from('b\n'), 'c.zip': archive, 'd.tgz': archived },
    bad,
  );
  assert.deepEqual(Object.keys(texts), ['a.gz', 'b.csv', 'c.zip/a.gz', 'c.zip/b.csv', 'd.tgz/x.csv']);
  for (const name of ['a.gz', 'c.zip/a.gz']) assert.ok(texts[name]!.length > 0 && text.startsWith(texts[name]!), name);
  assert.deepEqual(
    bad.map((each) => each.split(': ')[0]),
    ['a.gz', 'c.zip/a.gz', 'c.zip/c.xls', 'd.tgz/x.csv', 'd.tgz'],
  );
});

test('lines that are not UTF-8 are Latin-1, also late in a file and without any end of a line', async () => {
  const late = Buffer.concat([Buffer.from('é\n'.repeat(50_000)), Buffer.from('Málaga\n', 'latin1')]);
  const long = Buffer.from('ä€'.repeat(700_000));
  const texts = await textsIn({ late, long });
  assert.ok(texts['late']!.endsWith('é\nMálaga\n'));
  assert.equal(texts['long'], long.toString());
});

test('in a folder, links to nowhere are told, and those to a device or a folder that they are in are none', async () => {
  const folder = newFolder('overround-links-');
  for (const name of ['a.csv', 'z.csv']) writeFileSync(join(folder, name), 'x,y\n1,2\n');
  symlinkSync('nowhere', join(folder, 'broken'));
  symlinkSync('.', join(folder, 'itself'));
  symlinkSync('/dev/null', join(folder, 'device'));
  symlinkSync('a.csv', join(folder, 'b.csv'));
  const unreadable: string[] = [];
  const names: string[] = [];
  for await (const { name, bytes } of sourcesOf(folder, { onUnreadable: (name) => unreadable.push(name) })) {
    names.push(basename(name));
    for await (const _ of bytes);
  }
  assert.deepEqual(names, ['a.csv', 'b.csv', 'z.csv']);
  assert.deepEqual(
    unreadable.map((name) => basename(name)),
    ['broken'],
  );
});

test('a small workbook that unpacks to gigabytes is refused', async () => {
  const parts: Buffer[] = [];
  const archive = new Zip((_, part) => void parts.push(Buffer.from(part)));
  for (const name of ['[Content_Types].xml', 'xl/workbook.xml', 'xl/worksheets/sheet1.xml']) {
    // As Node.js packs it, which takes a tenth of the time.
    const entry = Object.assign(new ZipPassThrough(name), { compression: 8 });
    archive.add(entry);
    entry.push(deflateRawSync(Buffer.alloc(name.endsWith('sheet1.xml') ? 257 * 1024 * 1024 : 64), { level: 1 }), true);
  }
  archive.end();
  const bad: string[] = [];
  await textsIn({ 'a.xlsx': Buffer.concat(parts) }, bad);
  assert.deepEqual(bad, ['a.xlsx: the workbook has more than 268435456 bytes: save its sheets as CSV']);
});

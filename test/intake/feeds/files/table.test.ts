import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { headOfTable, rowsOf } from '../../../../src/intake/feeds/files/table.js';

async function read(text: string, isStrict = false): Promise<{ rows: string[][]; lines: number[]; bad: string[] }> {
  const [rows, lines, bad]: [string[][], number[], string[]] = [[], [], []];
  const bytes = async function* (): AsyncGenerator<Buffer> {
    const all = Buffer.from(text);
    for (let at = 0; at < all.length; at += 100) yield all.subarray(at, at + 100);
  };
  const told = (line: number, reason: string): void => void bad.push(`${line}: ${reason}`);
  for await (const { line, cells } of rowsOf(bytes(), headOfTable(text)!, told, isStrict)) {
    rows.push([...cells]);
    lines.push(line);
  }
  return { rows, lines, bad };
}

test('a quote within a cell is a part of it, and takes no other row with it', async () => {
  for (const isStrict of [false, true]) {
    const { rows, lines, bad } = await read(
      ['a,b,c', '1,6" tall,x', '2,b,x', '3,7" tall,x', '4,"5,5"" wide",x', '5, "q" ,"r"', '6,b,"8"" deep"'].join(
        '\r\n',
      ),
      isStrict,
    );
    assert.deepEqual(rows, [
      ['1', '6" tall', 'x'],
      ['2', 'b', 'x'],
      ['3', '7" tall', 'x'],
      ['4', '5,5" wide', 'x'],
      ['5', 'q', 'r'],
      ['6', 'b', '8" deep'],
    ]);
    assert.deepEqual([lines, bad], [[2, 3, 4, 5, 6, 7], []]);
  }
});

test('a quote that begins a cell and is not closed is a part of it, whatever follows', async () => {
  const { rows, lines, bad } = await read(
    ['a,b,c', '1,"tall,x', '2,b,x', '3,c,tall"', '4,b,"tall', '5,d,tall"', '6,"Smith" Jr.,x', '7,"a', '8,b,"x'].join(
      '\n',
    ),
  );
  assert.deepEqual(rows, [
    ['1', '"tall', 'x'],
    ['2', 'b', 'x'],
    ['3', 'c', 'tall"'],
    ['4', 'b', '"tall'],
    ['5', 'd', 'tall"'],
    ['6', '"Smith" Jr.', 'x'],
    ['8', 'b', '"x'],
  ]);
  assert.deepEqual([lines, bad], [[2, 3, 4, 5, 6, 7, 9], ['8: a quote is not closed']]);
});

test('a cell of several lines is one, told by its first line', async () => {
  const { rows, lines } = await read('a;b;c\n"one\n\ntwo"";""";b;c\n1;"x\ny;z";"\nend"\n2;b;c\n');
  assert.deepEqual(rows, [
    ['one\n\ntwo";"', 'b', 'c'],
    ['1', 'x\ny;z', 'end'],
    ['2', 'b', 'c'],
  ]);
  assert.deepEqual(lines, [2, 5, 8]);
});

test('the line in which a spreadsheet names its separator is no head', async () => {
  for (const first of ['sep=;\r\n', '"sep=;"\n', 'SEP=;\n']) {
    assert.deepEqual(headOfTable(`${first}a;b,c\n1;2\n`), { columns: ['a', 'b,c'], separator: ';' });
    assert.deepEqual((await read(`${first}a;b\n1;2\n`)).rows, [['1', '2']]);
  }
  assert.deepEqual(headOfTable('"a,b", c ,"d ""e"""\n')?.columns, ['a,b', 'c', 'd "e"']);
});

test('what is written as a table is read as it was, whatever is in its cells', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '1', '"', "'", ',', ';', ' ', 'é') }).map((text) => text.trim());
  const table = fc.array(fc.tuple(fc.constant('x'), cell, cell, cell), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(table, fc.constantFrom(',', ';', '\t'), async (rows, delimiter) => {
      const text = stringify([['k', 'a', 'b', 'c'], ...rows], { delimiter, record_delimiter: 'windows' });
      const found = await read(text);
      assert.deepEqual([found.rows, found.bad], [rows, []]);
    }),
    { numRuns: 200 },
  );
});

test('a row with more cells than the head has names is none; empty ones behind it say nothing', async () => {
  const { rows, bad } = await read(['a,b,c', '1,2,1,95', '1,2,3,,', '1,2', '1,2,"1,95"'].join('\n'));
  assert.deepEqual(rows, [
    ['1', '2', '3', '', ''],
    ['1', '2'],
    ['1', '2', '1,95'],
  ]);
  assert.deepEqual(bad, ['2: Invalid Record Length: 4 cells under 3 names']);
});

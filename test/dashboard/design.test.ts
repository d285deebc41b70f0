// The style sheets keep to the design: the sizes of text, the steps of space, and no rule of the board that is also the page's.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../../dashboard/', import.meta.url);
const BOARD = 'board-style.ts';
const FILES = [BOARD, ...readdirSync(new URL('css/', ROOT)).map((name) => `css/${name}`)];
const textOf = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');

test('text has three sizes, and the table of opportunities its own', () => {
  for (const name of FILES) {
    const sizes = [...textOf(name).matchAll(/font-size:\s*([^;}]+)/g)].map((found) => found[1]!.trim());
    const allowed = ['11px', '13px', '17px', ...(name === 'css/opportunities.css' ? ['12px'] : [])];
    assert.deepEqual(
      sizes.filter((size) => !allowed.includes(size)),
      [],
      name,
    );
  }
});

test('space comes in steps of 8 px, or is 4 or 2 px', () => {
  // What a bar of controls on a phone covers is no space between things.
  const isStep = (px: number): boolean => px % 8 === 0 || px === 2 || px === 4 || px % 44 === 0;
  for (const name of FILES) {
    const spaces = [
      ...textOf(name).matchAll(/(?<![\w-])(?:padding|margin|gap|row-gap|column-gap)(?:-[a-z-]+)?:([^;}]+)/g),
    ];
    const odd = spaces.filter(([, value]) => [...value!.matchAll(/(\d+)px/g)].some(([, px]) => !isStep(Number(px))));
    assert.deepEqual(
      odd.map(([all]) => all),
      [],
      name,
    );
  }
});

test('every rule of the board is of the board alone', () => {
  // Its sheet is also the page's, where the header has a class of the same name as a column.
  const style = /STYLE = `([^`]+)`/.exec(textOf(BOARD))![1]!;
  const selectors = [...style.matchAll(/([^{}]+)\{/g)]
    .map((found) => found[1]!.trim())
    .filter((selector) => !selector.startsWith('@'))
    .flatMap((selector) => selector.split(/,(?![^(]*\))/).map((one) => one.trim()));
  assert.ok(selectors.length > 40);
  assert.deepEqual(
    selectors.filter((selector) => !/^(\.board|:where\(\.board\))/.test(selector)),
    [],
  );
});

test('the documentation and the reference of the API have no colours and no fonts but those of the desk', () => {
  const styles = ['../build/site.css', '../src/front/api/openapi.ts'].map(textOf);
  for (const style of styles) {
    assert.match(style, /var\(--ground\)/);
    assert.deepEqual(
      [...style.matchAll(/[:\s,(](#[0-9a-f]{3,8}\b(?!;?key)|rgba?\([^)]*\)|hsl\([^)]*\))/gi)].map(
        ([, colour]) => colour,
      ),
      [],
    );
    assert.deepEqual(
      [...style.matchAll(/font-family:([^;}]+)/g)]
        .map(([, family]) => family!.trim())
        .filter((family) => !/monospace|inherit/.test(family)),
      [],
    );
  }
});

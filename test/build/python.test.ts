// The Python client is made from the document that the server serves; what stands in python/ is that, to the letter.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PYTHON_FILES, pythonFiles } from '../../build/python.js';
import type { Document } from '../../build/python-models.js';
import { api } from '../front/api.js';

test("the Python client's types and methods are those of the served document", async (t) => {
  const { fetch } = await api(t);
  const document = (await (await fetch('/openapi.json')).json()) as Document;
  for (const [name, text] of Object.entries(pythonFiles(document)))
    assert.ok(readFileSync(join(PYTHON_FILES, name), 'utf8') === text, `${name} is made anew by: npm run python`);
});

test('every method of the Python client has an example', () => {
  for (const name of ['resources.py', 'async_resources.py']) {
    const methods = readFileSync(join(PYTHON_FILES, name), 'utf8')
      .split(/^ {4}(?:async )?def (?=[a-z])/m)
      .slice(1);
    assert.ok(methods.length > 100);
    const without = methods.filter((method) => !/^ {8}"""[\s\S]*?>>> [\s\S]*?"""$/m.test(method));
    assert.deepEqual(
      without.map((method) => /^\w+/.exec(method)![0]),
      [],
    );
  }
});

// Writes the Python client's types and methods from the OpenAPI document that a server serves: node dist/build/python.js
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startServer } from '../src/index.js';
import { type Document, Models } from './python-models.js';
import { Resources } from './python-resources.js';

export const PYTHON_FILES = 'python/src/overround';

/** Name → text. */
export function pythonFiles(document: Document): Record<string, string> {
  const models = new Models(document);
  const made = [false, true].map((isAsync) => new Resources(document, models, isAsync).text());
  return { 'models.py': models.text(), 'resources.py': made[0]!, 'async_resources.py': made[1]! };
}

async function served(): Promise<Document> {
  const data = mkdtempSync(join(tmpdir(), 'overround-python-'));
  const server = await startServer({ settings: { port: '0', data, workers: '1', history: '0', log: 'silent' } });
  try {
    return (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as Document;
  } finally {
    await server.close();
    rmSync(data, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const [name, text] of Object.entries(pythonFiles(await served()))) writeFileSync(join(PYTHON_FILES, name), text);

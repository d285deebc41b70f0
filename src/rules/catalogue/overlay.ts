// Overlays of the catalogue's files: an operator changes, adds or removes single entries without copying the whole
// file. Pure: load.ts reads the files, and the result is checked like any other catalogue.
import { CatalogueError } from './cross-check.js';

type Entry = Record<string, unknown> & { id: string };

/** books.json -> books.overlay.json */
export function overlayName(file: string): string {
  return file.replace(/\.json$/, '.overlay.json');
}

/**
 * The entries of `file` with an overlay applied. An entry with the id of a known one replaces the properties it names,
 * and its `aliases` are added to the known ones; `{"id": …, "remove": true}` removes the entry; a new id is appended.
 * Throws a CatalogueError if an entry has no id, occurs twice, or removes an unknown id.
 */
export function overlaid(file: string, entries: readonly unknown[], overlay: readonly unknown[]): unknown[] {
  const result = [...entries];
  const seen = new Set<string>();
  for (const [index, raw] of overlay.entries()) {
    const entry = readEntry(overlayName(file), raw, index, seen);
    const at = result.findIndex((known) => isEntry(known) && known.id === entry.id);
    if (entry['remove'] === true) {
      if (at < 0) throw new CatalogueError(overlayName(file), entry.id, 'there is no such entry to remove');
      result.splice(at, 1);
    } else if (at < 0) result.push(entry);
    else result[at] = changed(result[at] as Entry, entry);
  }
  return result;
}

function readEntry(file: string, raw: unknown, index: number, seen: Set<string>): Entry {
  if (!isEntry(raw)) throw new CatalogueError(file, `entry ${index + 1}`, 'needs an id');
  if (seen.has(raw.id)) throw new CatalogueError(file, raw.id, 'the id is there twice');
  seen.add(raw.id);
  return raw;
}

function changed(known: Entry, entry: Entry): Entry {
  const aliases = [known['aliases'], entry['aliases']].flatMap((list) => (Array.isArray(list) ? list : []));
  return { ...known, ...entry, ...('aliases' in entry ? { aliases: [...new Set(aliases)] } : {}) };
}

function isEntry(raw: unknown): raw is Entry {
  return typeof raw === 'object' && raw !== null && 'id' in raw && typeof raw.id === 'string' && raw.id !== '';
}

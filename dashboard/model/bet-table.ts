// A table of bets as people keep one, made ready for the server: what only a program would think of is added, the rest
// stays as it is. And what the server says of its lines, line by line.

interface Records {
  /** The text of each record, without its end. */
  records: { text: string; line: number }[];
}

/** Records of a CSV text, in which quoted values may have line ends. */
function recordsOf(text: string): Records['records'] {
  const records: Records['records'] = [];
  let [begin, line, beginLine, quoted] = [0, 1, 1, false];
  const end = (at: number): void => {
    const record = text.slice(begin, at).replace(/\r$/, '');
    if (record !== '') records.push({ text: record, line: beginLine });
  };
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted;
    if (text[at] !== '\n') continue;
    line++;
    if (quoted) continue;
    end(at);
    begin = at + 1;
    beginLine = line;
  }
  end(text.length);
  return records;
}

const namesOf = (head: string): string[] => head.split(',').map((name) => name.trim().replace(/^"|"$/g, ''));

/**
 * With `client_id` and `mode` where they are missing: bets that were placed, each known by its own words, so that the
 * same table can be read twice and records nothing twice.
 */
export function completedTable(given: string): string {
  const text = given.replace(/^\ufeff/, '');
  const [head, ...rest] = recordsOf(text);
  if (head === undefined) return text;
  const names = namesOf(head.text);
  const needs = (['client_id', 'mode'] as const).filter((name) => !names.includes(name));
  if (needs.length === 0) return text;
  const seen = new Map<string, number>();
  // The lines stay where they are, for what is said of them.
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const add = (line: number, record: string, values: readonly string[]): void => {
    const last = line - 1 + record.split('\n').length - 1;
    lines[last] = [lines[last], ...values].join(',');
  };
  add(head.line, head.text, needs);
  for (const { text: record, line } of rest) {
    const times = (seen.get(record) ?? 0) + 1;
    seen.set(record, times);
    const values = { client_id: `table-${markOf(record)}-${times}`, mode: 'placed' };
    add(
      line,
      record,
      needs.map((name) => values[name]),
    );
  }
  return lines.join('\n');
}

/** Of the server's table, which begins with the id of each bet, those of these alone. */
export function tableOf(table: string, ids: ReadonlySet<string>): string {
  const [head, ...records] = recordsOf(table);
  const kept = records.filter(({ text }) => ids.has(text.slice(0, text.indexOf(','))));
  return [head, ...kept].map((record) => `${record?.text ?? ''}\r\n`).join('');
}

/** A text's mark: 64 bits, as two hashes of it. */
function markOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    one = Math.imul(one ^ code, 0x01000193) >>> 0;
    other = Math.imul(other ^ code, 0x85ebca6b) >>> 0;
  }
  return one.toString(16).padStart(8, '0') + other.toString(16).padStart(8, '0');
}

export interface LineFault {
  /** Null where it is about the whole table. */
  line: number | null;
  why: string;
  /** The line as it is in the table. */
  text: string;
}

/** What the server's answer says of each line: `line 2: stake must be …; line 5: …`. */
export function faultsOf(message: string, table: string): LineFault[] {
  const lines = table.replace(/^\ufeff/, '').split('\n');
  return message.split(/; (?=line \d+: |and \d+ more lines)/).map((part): LineFault => {
    const [, no, why] = /^line (\d+): ([\s\S]*)$/.exec(part) ?? [];
    if (no === undefined) return { line: null, why: part, text: '' };
    return { line: Number(no), why: why!, text: (lines[Number(no) - 1] ?? '').trim() };
  });
}

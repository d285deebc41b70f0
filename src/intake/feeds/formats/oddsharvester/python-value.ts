// Values in OddsHarvester's tables are JSON, or as Python prints its lists and dictionaries.
import { jsonOf } from '../../kit/field-readers.js';

const TOKEN = /'((?:[^'\\]|\\.)*)'|"(?:[^"\\]|\\.)*"|\bNone\b|\bTrue\b|\bFalse\b/g;
const WORDS: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' };

/** Undefined if it is neither. */
export function printedValue(text: string): unknown {
  const json = jsonOf(text);
  if (json !== undefined) return json;
  return jsonOf(
    text.replace(TOKEN, (token, quoted: string | undefined) =>
      quoted === undefined ? (WORDS[token] ?? token) : JSON.stringify(quoted.replace(/\\(.)/g, '$1')),
    ),
  );
}

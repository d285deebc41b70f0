// Readers of single fields of a venue's answers, which are never trusted: each returns undefined if the value is
// invalid.
import { isMap, jsonOf } from '../../../base/model/json-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { parseTimeMs } from '../../../base/model/time.js';

const TEXT_LENGTH_MAX = LIMITS.venueText.max;

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields | undefined {
  return isMap(value) ? value : undefined;
}

/** Objects of a list; other elements are omitted. */
export function objectsOf(value: unknown): Fields[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isMap);
}

/**
 * Objects of the list with this name that an answer has, or of the answer that is one. An empty list may be null. Throws if there is
 * none: an answer that says nothing does not say that nothing is listed.
 */
export function listIn(answer: unknown, name?: string): Fields[] {
  const list = name === undefined ? answer : fieldsOf(answer)?.[name];
  if (!Array.isArray(list) && !(list === null && name !== undefined))
    throw new Error(`the answer has no list${name === undefined ? '' : ` of ${name}`}`);
  return objectsOf(list);
}

/** A non-empty text, or an integer as text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX) return undefined;
  const text = value.trim();
  return text === '' ? undefined : text;
}

/** An http or https address. */
export function linkOf(value: unknown): string | undefined {
  const link = textOf(value);
  return link !== undefined && /^https?:/.test(link) ? link : undefined;
}

/** Also accepts a number in text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A list of texts, also if encoded as JSON in a text. */
export function textsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? jsonOf(value) : value;
  return Array.isArray(list) ? list.flatMap((each) => textOf(each) ?? []) : [];
}

/** Unix ms of a time in the formats of venues: RFC 3339, also with a blank for the T, a zone of hours alone, or none (then UTC). */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value
    .trim()
    .replace(' ', 'T')
    .replace(/([+-]\d\d)$/, '$1:00');
  return parseTimeMs(text) ?? parseTimeMs(`${text}Z`);
}

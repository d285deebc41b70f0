// Which compression a client accepts (RFC 9110, section 12.5.3).
import { BoundedMap } from '../../base/memory/bounded-map.js';
import { LIMITS } from '../../base/model/limits.js';

/** In the order of preference among equals: at its first quality Brotli takes half of gzip's time and is smaller. */
export type Coding = 'br' | 'gzip';

const HEADER_CHARS_MAX = LIMITS.acceptEncoding.max;
/** Clients send a handful of different texts. */
const known = new BoundedMap<string, Coding | null>(LIMITS.acceptEncodings.max);

/** The best one for an answer; undefined if it is to be sent as it is. */
export function acceptedCoding(header: string): Coding | undefined {
  if (header === '') return undefined;
  let coding = known.get(header);
  if (coding === undefined) {
    const weights = weightsIn(header);
    const [br, gzip] = [weightOf(weights, 'br'), weightOf(weights, 'gzip')];
    coding = br === 0 && gzip === 0 ? null : br >= gzip ? 'br' : 'gzip';
    known.set(header, coding);
  }
  return coding ?? undefined;
}

/** Whether a stream may be sent as gzip. */
export function acceptsGzip(header: string): boolean {
  return header !== '' && weightOf(weightsIn(header), 'gzip') > 0;
}

/** Codings and their weights; a text that is too long or malformed names none. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  if (header.length > HEADER_CHARS_MAX) return weights;
  for (const part of header.toLowerCase().split(',')) {
    const [, name, q] = /^\s*(?:x-)?([a-z*]+)\s*(?:;\s*q=(\d(?:\.\d{0,3})?)\s*)?$/.exec(part) ?? [];
    if (name !== undefined) weights.set(name, Number(q ?? 1));
  }
  return weights;
}

/** 0 if the client does not accept it, or would rather have the answer as it is. */
function weightOf(weights: ReadonlyMap<string, number>, coding: Coding): number {
  const weight = weights.get(coding) ?? weights.get('*') ?? 0;
  return weight < (weights.get('identity') ?? 0) ? 0 : weight;
}

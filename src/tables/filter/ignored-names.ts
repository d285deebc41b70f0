// What was ignored in a request, for `meta` of every answer: names without a match, unknown parameters.
import { ApiError } from '../../base/model/errors.js';
import type { RequestedParameters } from '../../schema/query-shape.js';

/** Empty lists are omitted. */
export interface IgnoredNames {
  unknown?: readonly string[];
  ignored?: readonly string[];
}

const NOTHING: IgnoredNames = Object.freeze({});

/** Throws ApiError `invalid_request` for an unknown name if the request is strict. */
export function ignoredNames(
  unknown: readonly string[],
  { ignored, strict }: Pick<RequestedParameters, 'ignored' | 'strict'>,
): IgnoredNames {
  if (strict && unknown.length > 0)
    throw new ApiError('invalid_request', `${unknown.join(', ')}: no such name, and the request is strict`);
  if (unknown.length === 0 && ignored.length === 0) return NOTHING;
  return { ...(unknown.length > 0 ? { unknown } : {}), ...(ignored.length > 0 ? { ignored } : {}) };
}

// What was ignored in a request, for `meta` of every answer: names without a match, unknown parameters.

/** Empty lists are omitted. */
export interface PassedOver {
  unknown?: readonly string[];
  ignored?: readonly string[];
}

const NOTHING: PassedOver = Object.freeze({});

export function passedOver(unknown: readonly string[], ignored: readonly string[] = []): PassedOver {
  if (unknown.length === 0 && ignored.length === 0) return NOTHING;
  return { ...(unknown.length > 0 ? { unknown } : {}), ...(ignored.length > 0 ? { ignored } : {}) };
}

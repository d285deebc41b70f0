// What of a question was passed over, for `meta` of every answer: names that nothing is called, parameters nobody knows.

/** Empty lists are left out. */
export interface PassedOver {
  unknown?: readonly string[];
  ignored?: readonly string[];
}

const NOTHING: PassedOver = Object.freeze({});

export function passedOver(unknown: readonly string[], ignored: readonly string[] = []): PassedOver {
  if (unknown.length === 0 && ignored.length === 0) return NOTHING;
  return { ...(unknown.length > 0 ? { unknown } : {}), ...(ignored.length > 0 ? { ignored } : {}) };
}

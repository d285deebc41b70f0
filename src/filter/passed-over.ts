// What of a question was passed over, for `meta` of every answer: names that nothing is called, parameters nobody knows.

/** Empty lists are left out. */
export function passedOver(
  unknown: readonly string[],
  ignored: readonly string[] = [],
): { unknown?: readonly string[]; ignored?: readonly string[] } {
  return { ...(unknown.length > 0 ? { unknown } : {}), ...(ignored.length > 0 ? { ignored } : {}) };
}

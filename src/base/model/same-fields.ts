// Whether two records have equal values in some of their fields. Hot loops write the comparison out instead.

export function sameFields<T extends object>(a: T, b: T, fields: readonly (keyof T)[]): boolean {
  return fields.every((field) => a[field] === b[field]);
}

// Whether two records agree in some of their fields. Where millions are compared the fields are written out instead.

export function sameFields<T extends object>(a: T, b: T, fields: readonly (keyof T)[]): boolean {
  return fields.every((field) => a[field] === b[field]);
}

// Optional fields that are absent where there is no value.

type Absent = null | undefined;

/** Fields that may be null or undefined are optional, and neither. */
type Present<Fields> = {
  [Name in keyof Fields as [Fields[Name] & Absent] extends [never] ? Name : never]: Fields[Name];
} & {
  [Name in keyof Fields as [Fields[Name] & Absent] extends [never] ? never : Name]?: NonNullable<Fields[Name]>;
};

/** The fields without those that are null or undefined, in their order. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== null && value !== undefined) kept[name] = value;
  return kept as Present<Fields>;
}

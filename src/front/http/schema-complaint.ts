// TypeBox's list of errors as one sentence for the caller.
import type { TLocalizedValidationError } from 'typebox/error';

/** `what` is the whole that was validated ("the query", "the body"), for errors that name no part of it. */
export function schemaComplaint(errors: readonly TLocalizedValidationError[], what: string): string {
  // A failed union lists every branch first and itself last: only the last is useful.
  const union = errors.find((error) => error.keyword === 'anyOf');
  const first = union ?? errors[0];
  if (first === undefined) return `${what} is not valid`;
  const part = first.instancePath === '' ? what : first.instancePath.slice(1).replaceAll('/', '.');
  switch (first.keyword) {
    case 'required':
      return `${[...(first.instancePath === '' ? [] : [part]), first.params.requiredProperties[0]].join('.')} is required`;
    case 'enum':
      return `${part} must be one of ${first.params.allowedValues.join(', ')}`;
    // A member beside the known ones, in an object that takes no others.
    case 'boolean':
      return `${part} is unknown`;
    case 'anyOf':
      return `${part} must be ${anyOf(errors, first.instancePath)}`;
    case 'format':
      return `${part} must be ${first.params.format === 'date-time' ? 'an RFC 3339 time' : `a ${first.params.format}`}`;
    default:
      return `${part} ${first.message}`;
  }
}

function anyOf(errors: readonly TLocalizedValidationError[], path: string): string {
  const allowed = errors.flatMap((error) =>
    error.keyword === 'const' && error.instancePath === path ? [String(error.params.allowedValue)] : [],
  );
  return allowed.length > 0 ? `one of ${allowed.join(', ')}` : 'of another type or range';
}

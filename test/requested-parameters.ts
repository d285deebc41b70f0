import type { TObject } from 'typebox';
import { QueryShape, type RequestedParameters } from '../src/schema/parameters.js';

/** Of parameters that come from elsewhere than a request. */
export function requestedParameters(
  schema: TObject,
  query: object,
  ignored: readonly string[] = [],
): RequestedParameters {
  const shape = new QueryShape(schema);
  const echo = shape.echo({ ...query });
  return {
    filters: shape.filters({ ...query }),
    echo,
    echoText: JSON.stringify(echo),
    ignored,
    strict: false,
    whole: false,
  };
}

// The messages of one call, normalised one by one, with pauses where they are large.
import type { NormalMessage, Rejection } from '../../base/model/normal-message.js';
import { addRejection } from './fields.js';
import { type NormaliseContext, normaliseSteps } from './normalise.js';
import { UnknownNames } from './unknown-names.js';

export interface NormalMessages {
  messages: NormalMessage[];
  rejected: Rejection[];
  /** Messages of which nothing was valid. */
  unread: number;
  unknown: UnknownNames;
}

/** @param strict a message with a name that the catalogue does not know is rejected */
export function normaliseAll(raw: readonly unknown[], context: NormaliseContext, strict: boolean): NormalMessages {
  const steps = normaliseAllSteps(raw, context, strict);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same, with a pause after each few parts. */
export function* normaliseAllSteps(
  raw: readonly unknown[],
  context: NormaliseContext,
  strict: boolean,
): Generator<void, NormalMessages> {
  const rejected: Rejection[] = [];
  const messages: NormalMessage[] = [];
  const unknown = new UnknownNames(context.catalogue, context.unmatched);
  for (const [i, message] of raw.entries()) {
    const at = raw.length === 1 ? '' : `[${i}].`;
    if (i > 0) yield;
    const normal = yield* normaliseSteps(message, at, context, rejected);
    const name = normal === undefined ? undefined : yield* unknown.note(normal);
    if (normal === undefined) continue;
    if (!strict || name === undefined) messages.push(normal);
    else addRejection(rejected, at.slice(0, -1), `${name} (strict)`);
  }
  return { messages, rejected, unread: raw.length - messages.length, unknown };
}

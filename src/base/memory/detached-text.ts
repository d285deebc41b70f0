// Texts that outlive the message they arrived in.

/** V8 copies shorter substrings itself. */
const SHARED_LENGTH = 13;

/** A copy of the text: a substring keeps the whole message in memory. */
export function detachedText<Text extends string | null>(text: Text): Text {
  return (text === null || text.length < SHARED_LENGTH ? text : Buffer.from(text).toString()) as Text;
}

// Texts that outlive the message they arrived in.

/** A copy of the text: a substring keeps the whole message in memory. */
export function detachedText<Text extends string | null>(text: Text): Text {
  return (text === null ? null : Buffer.from(text).toString()) as Text;
}

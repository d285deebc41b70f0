// Texts that outlive the message they came in.

/** The text in memory of its own: one that was cut out of a message keeps all of the message alive. */
export function ownText<Text extends string | null>(text: Text): Text {
  return (text === null ? null : Buffer.from(text).toString()) as Text;
}

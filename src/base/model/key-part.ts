// A part of a key whose parts are joined by `|`.

/** A feed's own text must not contain a key's separator; no text passes validation with a control character in it. */
export function keyPart(text: string): string {
  return text.includes('|') ? text.replaceAll('|', '\u0001') : text;
}

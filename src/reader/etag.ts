// If-None-Match: whether the caller already holds the answer. Tags are weak, for the times of sending differ.

/** Whether the header names the tag (RFC 9110, weak comparison); `*` is any. */
export function namesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false;
  const opaque = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag.replace(/^W\//, '') === opaque;
  });
}

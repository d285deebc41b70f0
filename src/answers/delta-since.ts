// The `since` of GET /odds/delta and the `server_time` that becomes the next one: a position of the change log, written
// as a time. A page may end in the middle of one commit, which may be larger than any page; then the nanosecond digits,
// which positions do not use, state how far into that commit it reached.
import { formatUs, parseTimeUs } from '../base/model/time.js';

export interface Since {
  /** The caller knows everything up to this position … */
  position: number;
  /** … and of the commit after it the rows of lower shares (1-999); 0 if none of it. */
  share: number;
}

const SHARES = 999;

/**
 * The part of its commit a row belongs to, 1-999: computed from its id's last nine digits, so that it never changes.
 */
export function shareOf(lastDigits: number): number {
  return (lastDigits % SHARES) + 1;
}

/** Undefined if the text is not an RFC 3339 time. Times before 1990 are older than any log. */
export function parseSince(text: string): Since | undefined {
  const us = parseTimeUs(text);
  if (us === undefined) {
    const ms = Date.parse(text);
    if (Number.isNaN(ms)) return undefined;
    return { position: Math.max(0, ms * 1000), share: 0 };
  }
  const digits = /\.\d{6}(\d{1,3})/.exec(text)?.[1] ?? '';
  return { position: us, share: Number(digits.padEnd(3, '0')) };
}

/** A number that sorts in the same order. */
export function formatSince({ position, share }: Since): string {
  return `${formatUs(position).slice(0, -4)}${String(share).padStart(3, '0')}Z`;
}

/** Whether a change at `updatedPosition` of a row of this share is later than what the caller knows. */
export function isLater(since: Since, updatedPosition: number, share: number): boolean {
  return updatedPosition > since.position && (updatedPosition > since.position + 1 || share >= since.share);
}

export function compareSince(a: Since, b: Since): number {
  return a.position - b.position || a.share - b.share;
}

// Days as files write them.

const EUROPEAN = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})$/;
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/;
/** Of two digits: odds were first recorded in the last century. */
const CENTURY_BEGINS = 70;

/** Midnight of that day in UTC (Unix ms); undefined if there is no such day. Day before month, or ISO. */
export function dayOf(text: string): number | undefined {
  const european = EUROPEAN.exec(text);
  if (european !== null) return existing(yearOf(european[3]!), Number(european[2]), Number(european[1]));
  const iso = ISO.exec(text);
  return iso === null ? undefined : existing(Number(iso[1]), Number(iso[2]), Number(iso[3]));
}

function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return year + (year >= CENTURY_BEGINS ? 1900 : 2000);
}

function existing(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : undefined;
}

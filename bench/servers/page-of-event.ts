// What the answer to `/odds?event=…` must at least do for a caller with a key, done in the plainest way: the control for
// pages that were not asked before. The question is read, the rows of the event that the caller may see are chosen and
// counted, and joined from where they lie; the tag follows their versions, the cursor names the last one.

const HEAD = Buffer.from('{"success":true,"data":[');
const COMMA = 0x2c;
const LIMIT = 50;
/** Of the event there are more rows than the page shows. */
const FURTHER_ROWS = 10;

interface Shown {
  id: string;
  event_id: string;
  start_time: string;
  market: string;
  selection: string;
  line: number | null;
  player_name: string | null;
  sportsbook: string;
}

interface Row {
  shown: Shown;
  bytes: Buffer;
  book: number;
  version: number;
}

export interface AnsweredPage {
  bytes: Buffer;
  tag: string;
}

/** Answers `event=NO&limit=N` for so many events with the rows of this page. */
export function pagesOfEvents(body: Buffer, events: number): (query: string) => AnsweredPage {
  const { data, ...rest } = JSON.parse(body.toString()) as { data: Shown[]; meta: { filters: { event: string } } };
  const books = [...new Set(data.map((row) => row.sportsbook))];
  const allowed = new Set(books.keys());
  const rowsOf = new Map<string, Row[]>(Array.from({ length: events }, (_, no) => [String(no), []]));
  // Row by row, as they come book by book: an event's rows lie apart.
  for (const [i, shown] of [...data, ...data.slice(0, FURTHER_ROWS)].entries())
    for (const rows of rowsOf.values())
      rows.push({
        shown,
        bytes: Buffer.from(JSON.stringify(shown)),
        book: books.indexOf(shown.sportsbook),
        version: Date.now() + i,
      });
  const around = footOf(rest);
  const page = Buffer.alloc(2 * body.length);
  return (query) => {
    const asked = new Map(query.split('&').map((pair) => pair.split('=') as [string, string]));
    const event = decodeURIComponent(asked.get('event') ?? '');
    const limit = Number(asked.get('limit') ?? LIMIT);
    let total = 0;
    const chosen: Row[] = [];
    for (const row of rowsOf.get(event) ?? []) {
      if (!allowed.has(row.book)) continue;
      total++;
      if (chosen.length < limit) chosen.push(row);
    }
    let at = HEAD.copy(page, 0);
    let tag = total;
    for (const { bytes, version } of chosen) {
      if (at > HEAD.length) page[at++] = COMMA;
      page.set(bytes, at);
      at += bytes.length;
      tag = Math.imul(tag ^ version, 0x9e3779b1) ^ Math.imul(version / 2 ** 32, 0x85ebca77);
    }
    at += page.write(around(event, cursorOf(chosen.at(-1)!.shown)), at);
    return { bytes: page.subarray(0, at), tag: `W/"${(tag >>> 0).toString(36)}"` };
  };
}

/** The envelope with only the event and the cursor in it new. */
function footOf(rest: { meta: { filters: { event: string } } }): (event: string, cursor: string) => string {
  const { event } = rest.meta.filters;
  const text = `],${JSON.stringify(rest).slice(1)}`;
  const [before, ...parts] = text.split(/"next_cursor":"[^"]*"/);
  const [middle, after] = [parts[0] ?? '', parts[1] ?? ''];
  const [first, second] = middle.split(event) as [string, string];
  return (asked, cursor) =>
    `${before}"next_cursor":"${cursor}"${first}${asked}${second}"next_cursor":"${cursor}"${after}`;
}

function cursorOf(last: Shown): string {
  const { start_time, event_id, market, line, selection, sportsbook, player_name, id } = last;
  const place = ['filters', null, start_time, event_id, market, line, selection, sportsbook, player_name, id];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

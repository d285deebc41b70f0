// The opportunities of a batch for their readers, from the records that detection wrote.

import type { DevigMethod } from '../../base/model/devig-method.js';
import { readRecord } from '../../base/model/opportunity-record.js';
import type { Opportunity, PackedNews, UniverseNews } from '../../log/delta/opportunity.js';
import { RecordedOpportunity, type RowsOfShard } from './recorded-opportunity.js';

export function openNews({ records, universes }: PackedNews, rows: RowsOfShard): UniverseNews[] {
  return universes.map(({ put, ...news }) => {
    const detected: Opportunity[] = [];
    for (let i = 0; i < put.length; i += 3) {
      const opportunity = openRecord(rows, records, put[i]!, put[i + 1]!, put[i + 2]!);
      if (opportunity !== undefined) detected.push(opportunity);
    }
    return { detected, ...news };
  });
}

/** Undefined if its event is gone: then it has ended, as a later delta says. */
export function openRecord(
  rows: RowsOfShard,
  records: Uint8Array,
  place: number,
  detectedUs: number,
  updatedPosition: number,
  method?: DevigMethod,
): Opportunity | undefined {
  const record = readRecord(records, place);
  const event = rows.event(record.eventNo, record.rows[0] ?? -1);
  if (event === undefined) return undefined;
  return new RecordedOpportunity(rows, event, record, detectedUs, updatedPosition, method) as RecordedOpportunity &
    Opportunity;
}

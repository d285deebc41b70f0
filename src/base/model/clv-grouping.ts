// The fields that closing line value can be aggregated by.

export const CLV_GROUPS = ['sportsbook', 'sport', 'league', 'market', 'day', 'devig_book', 'edge'] as const;
export type ClvGrouping = (typeof CLV_GROUPS)[number];

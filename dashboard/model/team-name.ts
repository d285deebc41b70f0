// Names of teams where there is no room for the whole: the part of the name that its game's id has, as in
// `mlb_orioles_red-sox_2026-11-29`.

/** The part of the name that the id has for this side, else the whole name. */
export function shortTeam(name: string, eventId: string, side: 'home' | 'away'): string {
  const token = eventId.split('_')[side === 'home' ? 1 : 2];
  const words = name.split(/\s+/);
  for (let count = 1; count < words.length; count++)
    for (const part of [words.slice(-count), words.slice(0, count)])
      if (slug(part.join(' ')) === token) return part.join(' ');
  return name;
}

/** As the server makes the parts of an id from names. */
function slug(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\u0300-\u036f.'’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

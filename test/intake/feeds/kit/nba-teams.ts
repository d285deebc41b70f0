// Ten teams of the NBA, in one order: by name, as Polymarket calls them, and by place, as Kalshi does.
export const TEAMS = [
  'Hawks',
  'Celtics',
  'Nets',
  'Hornets',
  'Bulls',
  'Cavaliers',
  'Mavericks',
  'Nuggets',
  'Pistons',
  'Rockets',
];
export const PLACES = [
  'Atlanta',
  'Boston',
  'Brooklyn',
  'Charlotte',
  'Chicago',
  'Cleveland',
  'Dallas',
  'Denver',
  'Detroit',
  'Houston',
];

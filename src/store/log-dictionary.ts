// The dictionary with which entries of the change log are compressed: names and texts that most of them have, so that an
// entry of one change becomes smaller, too. It must never change: what was compressed with it could not be read again.

const KINDS =
  '\xa4kind\xa2ev\xa2id\xb00\xa7eventNo\x01\x83\xa4kind\xa6middle\xa2id\xb00\xa7eventNo\x01\x83\xa4kind\xa9arbitrage\xa2id\xb00';
const UNIVERSE =
  '\xa9universes\x93\x84\xa8universe\xa5hobby\xa5whole\xc2\xa3put\x90\xa7expired\x91\x83\xa4kind\xa8low_hold\xa2id\xb0';
const HEAD =
  '\xa7eventNo\x01\x8a\xa7version\x05\xa8position\xcb\x43\x19\x4c\xa5shard\x00\xa6events\x90\xa7dropped\x90\xa5books\x91\x96';
const ROW =
  '"sportsbook":"draftkings","odds_american":-110,"odds_decimal":1.909091,"odds_probability":0.523810,"line":220.5,' +
  '"line":null,"is_live":true,"is_live":false,"odds_changed_at":"2026-11-20T18:00:00.000000000Z","is_active":true,' +
  '"odds_american_previous":+100,"odds_american_previous":-110,"probability":0.5';
const TAIL = '\xa4blob\xc4\xff\xa6splits\x90\xa7futures\x90\xadopportunities\x82\xa7records\xc4\x00';

/** What most entries have comes last, where it is found nearest. */
export const LOG_DICTIONARY = Buffer.from(KINDS + UNIVERSE + HEAD + ROW + TAIL, 'latin1');

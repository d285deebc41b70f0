// The opportunities of the caller's books as they stand now, the largest first.
import type { LiveTable, OpportunityItem } from '../src/client/client.js';
import { betLink, byId, drawTabs, element } from './dom.js';
import { american, lineText, percent, words } from './format.js';

type Kind = keyof LiveTable['opportunities'];
type Fields = Record<string, unknown>;

interface View {
  name: string;
  /** What it is ranked by, percent. */
  edge(item: Fields): number;
  /** Outcome, books, American odds and, where there is one, the link of each bet. */
  legs(item: Fields): [outcome: string, books: string, odds: number, link: unknown][];
}

const SHOWN_MAX = 100;

const priceOf = (side: Fields): number => (side['odds'] as { american: number }).american;

const VIEWS: Readonly<Record<Kind, View>> = {
  ev: {
    name: '+EV',
    edge: (item) => item['ev_percentage'] as number,
    legs: (item) => [
      [outcomeOf(item, item), String(item['sportsbook']), item['odds_american'] as number, item['deep_link']],
    ],
  },
  arbitrage: {
    name: 'Arbitrage',
    edge: (item) => item['profit_percent'] as number,
    legs: (item) =>
      (item['legs'] as Fields[]).map((leg) => [
        outcomeOf(item, leg),
        `${leg['sportsbook']} ${(leg['stake_percent'] as number).toFixed(1)} %`,
        leg['odds_american'] as number,
        leg['deep_link'],
      ]),
  },
  middles: {
    name: 'Middles',
    edge: (item) => item['expected_value'] as number,
    legs: (item) =>
      sidesOf(item).map((side) => [outcomeOf(item, side), String(side['book']), priceOf(side), side['deep_link']]),
  },
  low_hold: {
    name: 'Low hold',
    edge: (item) => -(item['hold_percentage'] as number),
    legs: (item) =>
      sidesOf(item).map((side) => {
        const books = side['books'] as string[];
        const links = side['deep_links'] as Readonly<Record<string, string | null>>;
        return [outcomeOf(item, side), books.join(', '), priceOf(side), links[books[0] ?? '']];
      }),
  },
};

export class OpportunityFeed {
  readonly #kinds = byId('kinds');
  readonly #root = byId('feed');
  readonly #choose: (eventId: string, market: string) => void;
  #kind: Kind = 'ev';
  /** Shown before: what is not among them is new. */
  #known = new Set<string>();
  #begun = false;

  constructor(choose: (eventId: string, market: string) => void) {
    this.#choose = choose;
  }

  draw(table: LiveTable): void {
    const kinds = Object.keys(VIEWS) as Kind[];
    drawTabs(
      this.#kinds,
      kinds.map((kind) => ({
        name: VIEWS[kind].name,
        count: table.opportunities[kind].size,
        selected: kind === this.#kind,
        choose: () => {
          this.#kind = kind;
          this.draw(table);
        },
      })),
    );
    const view = VIEWS[this.#kind];
    const items = [...table.opportunities[this.#kind].values()];
    items.sort((a, b) => view.edge(b) - view.edge(a));
    const cards = items.slice(0, SHOWN_MAX).map((item) => this.#card(item, view));
    this.#root.replaceChildren(...(cards.length > 0 ? cards : [element('p', 'empty', 'None at the moment')]));
    this.#known = new Set(kinds.flatMap((kind) => [...table.opportunities[kind].keys()]));
    // Nothing in a snapshot is news.
    this.#begun = table.complete;
  }

  #card(item: OpportunityItem, view: View): HTMLElement {
    const fresh = this.#begun && !this.#known.has(item.id);
    const market = String(item['market_type']);
    const edge = element('span', 'edge', percent(Math.abs(view.edge(item))));
    const name = element('button', 'name', String(item['event_name']));
    name.type = 'button';
    const head = element('header', '', name, edge);
    const live = item['is_live'] === true ? element('span', 'live', ' live') : '';
    const card = element(
      'div',
      fresh ? 'card fresh' : 'card',
      head,
      element('small', 'quiet', `${item['league']}, ${words(market)}`, live),
      ...view
        .legs(item)
        .map(([outcome, books, odds, link]) =>
          element(
            'div',
            'leg',
            element('span', '', outcome),
            element('span', '', betLink(`${books} ${american(odds)}`, link)),
          ),
        ),
    );
    card.addEventListener('click', () => this.#choose(String(item['event_id']), market));
    return card;
  }
}

function sidesOf(item: Fields): Fields[] {
  return [item['side1'], item['side2'], item['side3']].filter(
    (side) => side !== null && side !== undefined,
  ) as Fields[];
}

function outcomeOf(item: Fields, side: Fields): string {
  const who = typeof item['player_name'] === 'string' ? item['player_name'] : '';
  return [who, side['selection'], lineText(side['line'], String(item['market_type']))].filter(Boolean).join(' ');
}

// The opportunities of the caller's books as they stand now, the largest first.
import type { LiveTable, OpportunityChannel, OpportunityItem, OpportunityItems } from '../src/client/client.js';
import { betLink, byId, drawTabs, element } from './dom.js';
import { american, lineText, percent, words } from './format.js';

interface View<Item> {
  name: string;
  /** What it is ranked by, percent. */
  edge(item: Item): number;
  /** Outcome, books, American odds and, where there is one, the link of each bet. */
  legs(item: Item): [outcome: string, books: string, odds: number, link: string | null | undefined][];
}

const SHOWN_MAX = 100;

const VIEWS: { readonly [Kind in OpportunityChannel]: View<OpportunityItems[Kind]> } = {
  ev: {
    name: '+EV',
    edge: (item) => item.ev_percentage,
    legs: (item) => [[outcomeOf(item, item), item.sportsbook, item.odds_american, item.deep_link]],
  },
  arbitrage: {
    name: 'Arbitrage',
    edge: (item) => item.profit_percent,
    legs: (item) =>
      item.legs.map((leg) => [
        outcomeOf(item, leg),
        `${leg.sportsbook} ${leg.stake_percent.toFixed(1)} %`,
        leg.odds_american,
        leg.deep_link,
      ]),
  },
  middles: {
    name: 'Middles',
    edge: (item) => item.expected_value,
    legs: (item) =>
      [item.side1, item.side2].map((side) => [outcomeOf(item, side), side.book, side.odds.american, side.deep_link]),
  },
  low_hold: {
    name: 'Low hold',
    edge: (item) => -item.hold_percentage,
    legs: (item) =>
      [item.side1, item.side2, item.side3].flatMap((side) => {
        if (side === null) return [];
        const link = side.deep_links[side.books[0] ?? ''];
        return [[outcomeOf(item, side), side.books.join(', '), side.odds.american, link]];
      }),
  },
};

export class OpportunityFeed {
  readonly #kinds = byId('kinds');
  readonly #root = byId('feed');
  readonly #choose: (eventId: string, market: string) => void;
  #kind: OpportunityChannel = 'ev';
  /** Shown before: what is not among them is new. */
  #known = new Set<string>();
  #begun = false;

  constructor(choose: (eventId: string, market: string) => void) {
    this.#choose = choose;
  }

  draw(table: LiveTable): void {
    const kinds = Object.keys(VIEWS) as OpportunityChannel[];
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
    const cards = this.#cards(this.#kind, table);
    this.#root.replaceChildren(...(cards.length > 0 ? cards : [element('p', 'empty', 'None at the moment')]));
    this.#known = new Set(kinds.flatMap((kind) => [...table.opportunities[kind].keys()]));
    // Nothing in a snapshot is news.
    this.#begun = table.complete;
  }

  #cards<Kind extends OpportunityChannel>(kind: Kind, table: LiveTable): HTMLElement[] {
    const view = VIEWS[kind];
    const items = [...table.opportunities[kind].values()];
    items.sort((a, b) => view.edge(b) - view.edge(a));
    return items.slice(0, SHOWN_MAX).map((item) => this.#card(item, view));
  }

  #card<Item extends OpportunityItem>(item: Item, view: View<Item>): HTMLElement {
    const fresh = this.#begun && !this.#known.has(item.id);
    const market = item.market_type;
    const edge = element('span', 'edge', percent(Math.abs(view.edge(item))));
    const name = element('button', 'name', item.event_name);
    name.type = 'button';
    const head = element('header', '', name, edge);
    const live = item.is_live ? element('span', 'live', ' live') : '';
    const card = element(
      'div',
      fresh ? 'card fresh' : 'card',
      head,
      element('small', 'quiet', `${item.league}, ${words(market)}`, live),
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
    card.addEventListener('click', () => this.#choose(item.event_id, market));
    return card;
  }
}

function outcomeOf(item: OpportunityItem, side: { selection: string; line: number | null }): string {
  return [item.player_name, side.selection, lineText(side.line, item.market_type)].filter(Boolean).join(' ');
}

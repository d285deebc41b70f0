// What the components of the desk share: the session, the state of the address, the profile, and what they may ask for.
import type { OddsRow, OpportunityChannel, OpportunityItem } from '../src/client/client.js';
import type { AccountKey } from './account-key.js';
import type { ScreenState } from './model/address.js';
import type { Profile } from './model/profile.js';
import type { PriceCard } from './price-card.js';
import type { Session } from './session.js';

export interface Context {
  readonly session: Session;
  readonly account: AccountKey;
  readonly state: ScreenState;
  readonly profile: Profile;
  /** What is known of a price, beside it. */
  readonly card: PriceCard;
  /** The connection is lost: nothing shown can be bet. */
  readonly isLost: boolean;
  /** Changes the state of the address, and draws. */
  go(changes: Partial<ScreenState>): void;
  setProfile(changes: Partial<Profile>): void;
  /** Draws the page soon. */
  changed(): void;
  /** Draws it at once. */
  draw(): void;
  /** After something was drawn that may have had the focus. */
  keepFocus(): void;
  /** For screen readers; a loud one is seen for a moment as well. */
  tell(text: string, isLoud?: boolean): void;
  /** Adds a price to the ticket, or removes it again. */
  addPrice(row: OddsRow, fair: number | null): void;
  /** Opens the form of an alert on the outcome and line of this price. */
  alertOnPrice(row: OddsRow): void;
  addOpportunity(kind: OpportunityChannel, item: OpportunityItem): void;
  /** Whether the ticket has a price or opportunity of this id. */
  isOnTicket(id: string): boolean;
  /** The opportunity as it stands; null if it stands no more, undefined where that cannot be known. */
  standing(id: string): OpportunityItem | null | undefined;
  /** Entries on the ticket. */
  readonly ticketSize: number;
  /** Rows of a message were refused by the key's rights. */
  refused(error: Error): void;
}

// The ids that a book's feed tells of a price.
import { Type } from '../base/model/json-schema.js';

/** What a bet by the book's own interface names. */
export const feedIds = {
  external_event_id: Type.Optional(
    Type.String({ description: "the book's own id of the event, where its feed tells it", examples: ['31987654'] }),
  ),
  market_id: Type.Optional(
    Type.String({ description: "the book's own id of the market, where its feed tells it", examples: ['1.234567'] }),
  ),
  selection_id: Type.Optional(
    Type.String({ description: "the book's own id of the selection, where its feed tells it", examples: ['0ML123'] }),
  ),
};

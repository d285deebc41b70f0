// Splits and futures of a message: they have no rows in the odds table and go into the delta; splits of a source that
// swaps home and away are swapped back.
import type { BatchReceipt, NormalMessage } from '../model/normal-message.js';
import type { ApplyContext } from './apply-context.js';
import type { DeltaBuilder } from './delta-builder.js';
import { swapSplits } from './swap-sides.js';

export function applyExtras(
  message: NormalMessage,
  context: ApplyContext,
  builder: DeltaBuilder,
  receipt: BatchReceipt,
): void {
  for (const { path, eventId, league, sport, home, away, startMs, ...splits } of message.splits) {
    const event =
      eventId !== null
        ? context.state.events.get(eventId)
        : context.state.events.nearest(
            { book: splits.source, startMs, externalId: null, polledMs: message.polledUs / 1000, alone: true },
            { league, home, away },
            context.catalogue,
          );
    if (event === undefined) {
      receipt.rejected.push({ path, reason: 'unknown event: splits follow odds of the same game' });
      continue;
    }
    const swapped = eventId === null && context.catalogue.resolveTeam(league, home).token === event.awayToken;
    builder.addSplits({
      eventId: event.id,
      league: event.league,
      sport: event.sport,
      home: event.home,
      away: event.away,
      splits: swapped ? swapSplits(splits) : splits,
    });
    receipt.accepted++;
  }
  for (const future of message.futures) {
    builder.addFuture({ book: message.book, polledMs: Math.floor(message.polledUs / 1000), future });
    receipt.accepted += future.quotes.length;
  }
}

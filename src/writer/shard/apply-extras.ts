// Splits and futures of a message: they have no rows in the odds table and go into the delta; splits of a source that
// swaps home and away are swapped back.
import type { BatchReceipt, NormalMessage } from '../../base/model/normal-message.js';
import type { ApplyContext } from './apply-context.js';
import type { DeltaBuilder } from './delta-builder.js';
import { isSwapped } from './match.js';
import { swapSplits } from './swap-sides.js';

export function applyExtras(
  message: NormalMessage,
  context: ApplyContext,
  builder: DeltaBuilder,
  receipt: BatchReceipt,
): void {
  const { state, catalogue } = context;
  for (const { path, eventId, league, sport, home, away, startMs, ...splits } of message.splits) {
    const ref = state.events.spelled({ eventId, league, sport, home, away, startMs }, catalogue);
    const event = state.events.referred(ref, splits.source, message.polledUs, catalogue);
    if (event === undefined) {
      receipt.rejected.push({ path, reason: 'unknown event: splits follow odds of the same game' });
      continue;
    }
    builder.addSplits({
      eventId: event.id,
      league: event.league,
      sport: event.sport,
      home: event.home,
      away: event.away,
      splits: isSwapped(event, ref, catalogue) ? swapSplits(splits) : splits,
    });
    receipt.accepted++;
  }
  for (const future of message.futures) {
    builder.addFuture({ book: message.book, polledMs: Math.floor(message.polledUs / 1000), future });
    receipt.accepted += future.quotes.length;
  }
}

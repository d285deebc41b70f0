// Fields that Kalshi's documents describe: events with their markets, and messages of the channel of order books.
import type { Documented } from '../kit/documented-fields.js';

export const LISTED = {
  event: {
    fields: `event_ticker ticker series_ticker sub_title title collateral_return_type mutually_exclusive category
      strike_date strike_period available_on_brokers product_metadata last_updated_ts fee_type_override
      fee_multiplier_override settlement_sources milestones exchange_index`,
    within: { markets: 'market' },
  },
  market: {
    fields: `ticker event_ticker series_ticker market_type title subtitle yes_sub_title no_sub_title created_time
      updated_time open_time close_time expected_expiration_time expiration_time latest_expiration_time
      settlement_timer_seconds status response_price_units yes_bid yes_bid_dollars yes_bid_size_fp yes_ask
      yes_ask_dollars yes_ask_size_fp no_bid no_bid_dollars no_bid_size_fp no_ask no_ask_dollars no_ask_size_fp
      last_price last_price_dollars volume volume_fp volume_24h volume_24h_fp result can_close_early open_interest
      open_interest_fp notional_value notional_value_dollars previous_yes_bid previous_yes_bid_dollars
      previous_yes_ask previous_yes_ask_dollars previous_price previous_price_dollars liquidity liquidity_dollars
      settlement_value settlement_value_dollars settlement_ts expiration_value occurrence_datetime
      fee_waiver_expiration_time early_close_condition tick_size strike_type floor_strike cap_strike functional_strike
      custom_strike rules_primary rules_secondary mve_collection_ticker mve_selected_legs primary_participant_key
      price_level_structure price_ranges is_provisional fractional_trading_enabled category risk_limit_cents
      exchange_index`,
  },
  milestone: {
    fields: `id category type start_date end_date related_event_tickers primary_event_tickers title
      notification_message source_id source_ids details last_updated_ts`,
  },
} as const satisfies Record<string, Documented>;

/** By the type of message. */
export const STREAMED = {
  orderbook_snapshot: {
    fields: 'market_ticker market_id yes no yes_dollars no_dollars yes_dollars_fp no_dollars_fp use_yes_price ts ts_ms',
  },
  orderbook_delta: {
    fields: `market_ticker market_id price price_dollars delta delta_fp side client_order_id subaccount ts ts_ms
      use_yes_price`,
  },
} as const satisfies Record<string, Documented>;

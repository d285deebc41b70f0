// Fields that Polymarket's documents describe: Gamma's events and markets, order books, and the market channel.
import type { Documented } from '../kit/documented-fields.js';

export const LISTED = {
  event: {
    fields: `id ticker slug title subtitle description resolutionSource startDate creationDate endDate image icon active
      closed archived new featured restricted liquidity volume openInterest sortBy category subcategory isTemplate
      templateVariables published_at createdBy updatedBy createdAt updatedAt commentsEnabled competitive volume24hr
      volume1wk volume1mo volume1yr featuredImage disqusThread parentEvent parentEventId enableOrderBook liquidityAmm
      liquidityClob negRisk negRiskMarketID negRiskFeeBips commentCount imageOptimized iconOptimized featuredImageOptimized
      subEvents series categories collections tags cyom closedTime showAllOutcomes showMarketImages automaticallyResolved
      enableNegRisk automaticallyActive eventDate startTime eventWeek seriesSlug score elapsed period live ended
      finishedTimestamp gmpChartMode eventCreators tweetCount chats featuredOrder estimateValue cantEstimate
      estimatedValue templates spreadsMainLine totalsMainLine carouselMap pendingDeployment deploying deployingTimestamp
      scheduledDeploymentTimestamp gameStatus negRiskAugmented gameId homeTeamName awayTeamName countryName
      electionType color cumulativeMarkets requiresTranslation turnProviderId sportradarGameId internalUsers
      eventMetadata partners bestLines takerBaseFee makerBaseFee`,
    within: { markets: 'market', teams: 'team' },
  },
  market: {
    fields: `id question conditionId slug twitterCardImage resolutionSource endDate category ammType liquidity
      sponsorName sponsorImage startDate xAxisValue yAxisValue denominationToken fee image icon lowerBound upperBound
      description outcomes outcomePrices volume active marketType formatType lowerBoundDate upperBoundDate closed
      marketMakerAddress createdBy updatedBy createdAt updatedAt closedTime wideFormat new mailchimpTag featured archived
      resolvedBy restricted marketGroup groupItemTitle groupItemThreshold questionID umaEndDate enableOrderBook
      orderPriceMinTickSize orderMinSize umaResolutionStatus curationOrder volumeNum liquidityNum endDateIso startDateIso
      umaEndDateIso hasReviewedDates readyForCron commentsEnabled volume24hr volume1wk volume1mo volume1yr
      gameStartTime secondsDelay clobTokenIds disqusThread shortOutcomes teamAID teamBID umaBond umaReward fpmmLive
      volume24hrAmm volume1wkAmm volume1moAmm volume1yrAmm volume24hrClob volume1wkClob volume1moClob volume1yrClob
      volumeAmm volumeClob liquidityAmm liquidityClob makerBaseFee takerBaseFee customLiveness acceptingOrders
      notificationsEnabled score imageOptimized iconOptimized events categories tags creator ready funded pastSlugs
      readyTimestamp fundedTimestamp acceptingOrdersTimestamp competitive rewardsMinSize rewardsMaxSpread spread
      automaticallyResolved oneDayPriceChange oneHourPriceChange oneWeekPriceChange oneMonthPriceChange
      oneYearPriceChange lastTradePrice bestBid bestAsk automaticallyActive clearBookOnStart chartColor seriesColor
      showGmpSeries showGmpOutcome manualActivation negRisk negRiskMarketID negRiskRequestID negRiskOther gameId
      groupItemRange sportsMarketType line umaResolutionStatuses pendingDeployment deploying deployingTimestamp
      scheduledDeploymentTimestamp rfqEnabled eventStartTime holdingRewardsEnabled feesEnabled feeType approved
      clobRewards cyom sentDiscord submitted_by twitterCardLocation twitterCardLastRefreshed
      twitterCardLastValidated requiresTranslation makerRebatesFeeShareBps updatedAtDate negRiskFeeBips marketMetadata
      takerOnly version`,
    within: { feeSchedule: 'fee_schedule' },
  },
  fee_schedule: { fields: 'rate exponent takerOnly rebateRate feeType category effectiveFrom' },
  team: {
    fields: `id name league record logo abbreviation alias createdAt updatedAt providerId providerIds color ordering
      hostIcon`,
  },
} as const satisfies Record<string, Documented>;

/** By the type of event. */
export const STREAMED = {
  book: {
    fields: `event_type market asset_id timestamp hash bids asks buys sells tick_size min_order_size neg_risk
      last_trade_price`,
  },
  price_change: {
    fields: 'event_type market timestamp asset_id hash changes',
    within: { price_changes: 'price_changes' },
  },
  price_changes: { fields: 'asset_id price size side hash best_bid best_ask' },
} as const satisfies Record<string, Documented>;

// Fields of a market's change that the schema of Betfair's exchange stream (ESASwaggerSchema) has, and its historical
// files.
import type { Documented } from '../kit/documented-fields.js';

export const DOCUMENTED = {
  mc: { fields: 'id img tv con', within: { marketDefinition: 'marketDefinition', rc: 'rc' } },
  rc: { fields: 'id hc atb atl batb batl bdatb bdatl trd ltp tv spb spl spn spf con' },
  marketDefinition: {
    fields: `bspMarket turnInPlayEnabled persistenceEnabled marketBaseRate eventId eventTypeId numberOfWinners bettingType
      marketType marketTime suspendTime settledTime bspReconciled complete inPlay crossMatching runnersVoidable
      numberOfActiveRunners betDelay betDelayModels status regulators venue countryCode discountAllowed timezone
      openDate version raceType eachWayDivisor keyLineDefinition priceLadderDefinition lineMaxUnit lineMinUnit
      lineInterval name eventName`,
    within: { runners: 'runners' },
  },
  runners: { fields: 'id hc sortPriority status removalDate adjustmentFactor bsp name' },
} as const satisfies Record<string, Documented>;

export { isDatabaseUnavailable } from '@subtext/db'
export { openDatabaseClock } from './database-clock.ts'
export { purgeLeases } from './ended-leases.ts'
export { createInterruptibleSleep, type InterruptibleSleep } from './interruptible-sleep.ts'
export {
  acquireIf,
  acquireLease,
  type LeaseOutcome,
  type LeaseRequest,
  leaseValues,
  RELEASE_LEASE,
  releaseLeaseOf,
  toLeaseOutcome,
} from './leases-sql.ts'
export { notify } from './notify.ts'
export { createRecentFailures, type RecentFailures } from './recent-failures.ts'
export { createOutageQueue, type PersistWrite, retryThroughOutage } from './retry-through-outage.ts'
export { acquireAfterLooking, type FlightLease, type FlightStart, singleFlight } from './single-flight.ts'

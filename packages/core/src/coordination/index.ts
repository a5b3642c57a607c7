export { isDatabaseUnavailable } from '@subtext/db'
export { createInterruptibleSleep, type InterruptibleSleep } from './interruptible-sleep.ts'
export { createOutageQueue, type PersistWrite, retryThroughOutage } from './retry-through-outage.ts'
export { singleFlight } from './single-flight.ts'

export { bindOwnTemplates } from './bind-templates.ts'
export { queueDigests } from './digests.ts'
export { awaitsLength, findBrokenRule, needsDetails } from './filter.ts'
export type { StoredItem } from './items-sql.ts'
export { nextCheckAt } from './next-check.ts'
export { endAndTell, holdAndTell, type ItemEnd, type ItemEvents, pauseForPlan, toldOf } from './settle.ts'
export {
  checkSubscription,
  createSubscription,
  deleteSubscription,
  getSubscription,
  listChecks,
  listItems,
  listSubscriptions,
  pauseSubscription,
  resumeSubscription,
  retryItem,
  type SubscriptionContext,
  updateSubscription,
} from './subscriptions.ts'
export { type StoredSubscription, stopEmails } from './subscriptions-sql.ts'
export { DETAILS_SECONDS, retrySeconds, syncSource } from './sync.ts'
export { countFirstSeen, findKnown, storeFeed } from './sync-sql.ts'
export { describeItem, writeEvent } from './tell.ts'
export {
  type ClaimedWatch,
  claimWatch,
  describeWatched,
  endCheck,
  endWatch,
  lookNow,
  moveWatch,
  type NewCheck,
  postponeWatch,
  readCheckDemand,
  requestWatchedListing,
  type StoredCheck,
  type WatchedSource,
  wakeWatch,
  watchAllSources,
} from './watches-sql.ts'
export {
  type ClaimedItem,
  claimItem,
  extendItemLease,
  findDetails,
  type ItemDetails,
  leaveToJob,
  postponeItem,
  takeItem,
  wakeEndedItems,
} from './work-sql.ts'

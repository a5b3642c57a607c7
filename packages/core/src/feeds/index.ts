export { createFeed, deleteFeed, type FeedWithToken, feedUrl, listFeeds, readFeedByToken } from './feeds.ts'
export type { ReadableFeed, StoredFeed, StoredFeedEntry } from './feeds-sql.ts'

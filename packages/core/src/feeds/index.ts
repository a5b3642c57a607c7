export { type CreatedFeed, createFeed, deleteFeed, feedUrl, listFeeds, readFeedByToken } from './feeds.ts'
export type { FeedEntry, ReadableFeed, StoredFeed } from './feeds-sql.ts'

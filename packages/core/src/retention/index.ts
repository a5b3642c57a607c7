export { deleteJob } from './delete-job.ts'
export { type Purged, purgeAll, purgeOld, purgeUnused, type RetentionPolicy } from './purge.ts'

export { createLibraryFiller, type IndexTranscript, type LibraryFiller } from './backfill.ts'
export { createSearchCursors, FIRST_PLACE, markVideo, type SearchPlace } from './cursor.ts'
export {
  describeEntry,
  ENTRY_COLUMN,
  insertEntries,
  type NewEntry,
  removeFromLibrary,
  replaceEntries,
} from './entries-sql.ts'
export {
  type ExportedVideo,
  type LibraryExportFilter,
  listBatchVideos,
  listCaseVariants,
  listLibraryPage,
  listVideosOfJobs,
} from './export-sql.ts'
export { assertOwnJobs, listScopedJobs } from './scope-sql.ts'
export {
  type CandidatePage,
  type CandidatePlace,
  countEntries,
  findBestCandidates,
  findNewestCandidates,
  findVideoInfos,
  type LanguageQuery,
  type LibraryCandidate,
  type LibraryFilter,
  listLibraryLanguages,
} from './search-sql.ts'

export {
  addStoredSummaries,
  findSummariesOrAcquire,
  type JobWork,
  type KnownSummaries,
  listJobWork,
  type StoredChoice,
  saveJobSummary,
} from './job-work-sql.ts'
export { findNotes, listNotes, saveNotes } from './notes-sql.ts'
export { findOwnCache } from './own-cache-sql.ts'
export {
  addJobSpending,
  addJobSummary,
  byMode,
  fromRow,
  type JobSummary,
  listJobSummaries,
  type NewSummary,
  SUMMARY_COLUMNS,
  type SummaryRow,
  saveSummary,
} from './summaries-sql.ts'
export { describeWork, saveWork, type UnsavedWork, WORK_COLUMNS } from './unsaved-sql.ts'

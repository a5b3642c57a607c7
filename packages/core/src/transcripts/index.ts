export {
  findCueStarts,
  findImportedTranscript,
  findTranscript,
  type NewTranscript,
  readAllCues,
  readCues,
  saveFetchedVideo,
  saveTranscript,
  type TranscriptHead,
  UnreadableTranscriptError,
} from './transcripts-sql.ts'
export {
  buildVideoLeaseKey,
  findTranscriptOf,
  findVideo,
  findVideoOrAcquire,
  LOOKED_COLUMNS,
  type LookedRow,
  leaseKeyOfVideo,
  saveVideo,
  toLookup,
  type VideoLookup,
} from './videos-sql.ts'

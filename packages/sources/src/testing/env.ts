/** Returns the folder of the recordings, if one is set. */
export const sourceRecordingsFolder = (): string | undefined => process.env.TEST_SOURCE_RECORDINGS || undefined

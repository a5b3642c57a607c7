/** Keeps files of the service, such as rendered documents, by key. They can be created again at any time. */
export interface BlobStore {
  /** Stores a file, replacing one with the same key. Readers see the old file or the new one, never a part of it. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** Returns a file, or null if there is none. */
  get(key: string): Promise<Buffer | null>
  exists(key: string): Promise<boolean>
  /** Deletes a file. Succeeds if there is none. */
  delete(key: string): Promise<void>
}

/** Thrown when the store cannot be used or does not respond in time. */
export class BlobStoreError extends Error {
  constructor(operation: string, reason: string, options?: ErrorOptions) {
    super(`The blob store failed to ${operation} a file: ${reason}`, options)
    this.name = 'BlobStoreError'
  }
}

const MAX_KEY_LENGTH = 512
/** Segments that begin with a letter or a digit: none of them can lead out of a directory or name a hidden file. */
const SEGMENT = /^[A-Za-z0-9][\w.-]*$/

/** Returns whether a text is safe as a key: a relative path of letters, digits, `_`, `-` and `.`. */
export const isBlobKey = (key: string): boolean =>
  key.length <= MAX_KEY_LENGTH && key.split('/').every((segment) => SEGMENT.test(segment))

/** Throws `TypeError` for a key that is not safe. Keys are built by us, so this is an error in the program. */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new TypeError(`Not a key of a blob: ${JSON.stringify(key.slice(0, MAX_KEY_LENGTH))}`)
}

/** A video as a list shows it. */
export interface SampleListEntry {
  id: string
  title: string
  /** Null if the list does not say. */
  seconds: number | null
  /** ISO 8601. */
  published: string
  /** `stream`: the recording of one; `live`: runs now. Default: an ordinary video. */
  kind?: 'video' | 'short' | 'stream' | 'live' | 'upcoming'
  forMembers?: true
  /** The platform shows neither its title nor its picture. */
  gone?: 'private' | 'deleted'
}

export interface SamplePlaylist {
  id: string
  title: string
  owner: string
  entries: readonly SampleListEntry[]
  /** The words that take the place of the list. */
  alert?: string
}

export interface SampleChannel {
  /** `UC` and 22 characters. */
  id: string
  name: string
  /** Its names in addresses: `@handle`, `c/Name`, `user/Name`. */
  names: readonly string[]
  /** All uploads, the newest first. */
  entries: readonly SampleListEntry[]
  /** The words that take the place of the channel. */
  alert?: string
  /** The channel has no tabs, because its viewers have to sign in. */
  isAgeGated?: boolean
  /** The channel that takes its place. */
  movedTo?: string
  /** Whether its lists of uploads exist; true by default. Without them, it has tabs. */
  hasLists?: boolean
  /** Whether it has a feed; true by default. */
  hasFeed?: boolean
}

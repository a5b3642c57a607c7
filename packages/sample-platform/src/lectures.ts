import type { SampleChannel, SampleListEntry, SamplePlaylist } from './sample-list.ts'
import type { SampleVideo } from './sample-video.ts'

const MINUTE_MS = 60_000
/** The channel publishes its first lecture here. */
const FIRST_MINUTE = Date.UTC(2026, 0, 1) / MINUTE_MS
/** Lectures that the channel shows; more than a page of the platform has. */
const SHOWN = 120

const LECTURE_ID = /^sbtx-L([0-9a-z]{5})$/
const CHANNEL = { id: 'UCsbtx-lectures000000000', name: 'Sample Lectures' }

/** Returns the ID of the lecture of a minute. */
const lectureIdOf = (minute: number): string => `sbtx-L${minute.toString(36).padStart(5, '0')}`

/** A channel that publishes its next video every minute, so that following one can be tried without waiting for it. */
export interface Lectures {
  playlist: SamplePlaylist
  channelAt(now: number): SampleChannel
  /** Returns the lecture with this ID, if it has been published. */
  find(id: string, now: number): SampleVideo | undefined
}

/** Creates the channel, whose lectures are these talks in turn, and the playlist of the talks themselves. */
export function createLectures(talks: readonly SampleVideo[]): Lectures {
  const build = (minute: number): SampleVideo | undefined => {
    const talk = talks[minute % talks.length]
    if (!talk || minute < FIRST_MINUTE) return undefined
    return {
      ...talk,
      id: lectureIdOf(minute),
      title: `Lecture ${minute - FIRST_MINUTE + 1}: ${talk.title}`,
      author: CHANNEL.name,
      channelId: CHANNEL.id,
      published: new Date(minute * MINUTE_MS).toISOString(),
    }
  }
  const list = ({ id, title, lengthSeconds, published }: SampleVideo): SampleListEntry => ({
    id,
    title,
    seconds: lengthSeconds,
    published,
  })
  /** Every sixth lecture is a short, and every sixth the recording of a stream, so that types can be chosen. */
  const kindOf = (minute: number): SampleListEntry['kind'] =>
    minute % 6 === 2 ? 'short' : minute % 6 === 5 ? 'stream' : 'video'
  return {
    playlist: { id: 'PLsbtx-lectures', title: 'Sample lectures', owner: CHANNEL.name, entries: talks.map(list) },
    channelAt(now) {
      const last = Math.floor(now / MINUTE_MS)
      const minutes = Array.from({ length: SHOWN }, (_, index) => last - index)
      const entries = minutes.flatMap((minute) => {
        const lecture = build(minute)
        return lecture ? [{ ...list(lecture), kind: kindOf(minute) }] : []
      })
      return { ...CHANNEL, names: ['@sbtx-lectures'], entries }
    },
    find(id, now) {
      const minute = Number.parseInt(LECTURE_ID.exec(id)?.[1] ?? '', 36)
      return minute <= now / MINUTE_MS ? build(minute) : undefined
    },
  }
}

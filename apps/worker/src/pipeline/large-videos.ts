/** From here on the captions of a video, all that is made of them included, may take tens of megabytes. */
const LARGE_SECONDS = 4 * 3600
const LARGE_CUES = 10_000
const LARGE_CHARACTERS = 2_000_000

/** How many large videos a worker deals with at once, so that its memory stays bounded, whoever sends a hundred of them. */
const LARGE_AT_ONCE = 1
/** Until another worker, or this one, looks whether there is room. */
const AGAIN_AFTER_SECONDS = 10

/** What is known of the size of a video so far. */
interface VideoSize {
  seconds?: number
  cues?: number
  characters?: number
}

/** There is no room for a large video: the job is better given back than kept waiting in a slot. */
export class NoRoomError extends Error {
  readonly againAfterSeconds = AGAIN_AFTER_SECONDS

  constructor() {
    super('The worker has a large video already.')
    this.name = 'NoRoomError'
  }
}

/** The room that one job has. */
export interface Room {
  /** Takes room for a large video, once; throws `NoRoomError` when there is none. Others need none. */
  take(size: VideoSize): void
  /** Gives it back. */
  leave(): void
}

/** What a worker has room for. */
export interface LargeVideos {
  open(): Room
}

const isLarge = ({ seconds = 0, cues = 0, characters = 0 }: VideoSize): boolean =>
  seconds >= LARGE_SECONDS || cues >= LARGE_CUES || characters >= LARGE_CHARACTERS

export const createLargeVideos = (): LargeVideos => {
  let taken = 0
  return {
    open() {
      let hasRoom = false
      return {
        take(size) {
          if (hasRoom || !isLarge(size)) return
          if (taken >= LARGE_AT_ONCE) throw new NoRoomError()
          taken++
          hasRoom = true
        },
        leave() {
          if (hasRoom) taken--
          hasRoom = false
        },
      }
    },
  }
}

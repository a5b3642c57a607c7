import Play from 'virtual:icons/play'
import { useEffect, useRef } from 'react'
import { type PlayerState, useIsPlayerOpen } from './player-state.ts'

const PLAYER_ORIGIN = 'https://www.youtube-nocookie.com'
const PLAYING = 1
/** Samples do not exist on the video platform. */
const isSample = (videoId: string): boolean => videoId.startsWith('sbtx-')

type RecordingKind = 'video' | 'import' | 'podcast'

interface PlayerProps {
  player: PlayerState
  videoId: string
  title: string
  url: string
  thumbnailUrl: string
  /** Of imports and episodes, the video platform has nothing to play. */
  kind: RecordingKind
}

/** The video: a picture until it is clicked, then the platform's player, which is told what to do by messages. */
export function Player({ player, videoId, title, url, thumbnailUrl, kind }: PlayerProps) {
  const isOpen = useIsPlayerOpen(player)
  if (kind !== 'video') return <TextCover title={title} url={url} kind={kind} />
  if (isSample(videoId)) {
    return (
      <Cover title={title} note="A sample: its captions are served by Subtext itself, so there is no video to play." />
    )
  }
  if (isOpen) return <PlayerFrame player={player} videoId={videoId} title={title} />
  return (
    <div className="flex flex-col gap-2">
      <button
        type="button"
        onClick={() => player.open()}
        aria-label={`Play ${title}`}
        className="group relative grid aspect-video w-full place-items-center overflow-hidden rounded-xl border border-line bg-sunken"
      >
        <img
          key={thumbnailUrl}
          src={thumbnailUrl}
          alt=""
          // The icon of a broken image would say nothing.
          onError={({ currentTarget }) => {
            currentTarget.hidden = true
          }}
          className="absolute inset-0 size-full object-cover"
        />
        <span className="relative grid size-16 place-items-center rounded-full bg-black/70 text-white transition group-hover:scale-105">
          <Play className="size-7 translate-x-0.5" aria-hidden="true" />
        </span>
      </button>
      <a href={url} className="text-sm text-muted underline-offset-4 hover:underline" rel="noreferrer" target="_blank">
        Open on the video platform
      </a>
    </div>
  )
}

const NOTES = {
  import: 'Imported captions: Subtext has the text, not the recording.',
  podcast: 'An episode of a podcast: Subtext has its transcript, and the podcast the sound.',
}
const RECORDINGS = { import: 'Open the recording', podcast: 'Listen to the episode' }

/** Takes the place of the player where there is only text, with the link to the recording, if there is one. */
function TextCover({ title, url, kind }: { title: string; url: string; kind: Exclude<RecordingKind, 'video'> }) {
  const hasRecording = !url.startsWith(`${location.origin}/jobs/`)
  return (
    <div className="flex flex-col gap-2">
      <Cover title={title} note={NOTES[kind]} />
      {hasRecording && (
        <a
          href={url}
          className="text-sm text-muted underline-offset-4 hover:underline"
          rel="noreferrer"
          target="_blank"
        >
          {RECORDINGS[kind]}
        </a>
      )}
    </div>
  )
}

/** Takes the place of the player where there is no video. */
function Cover({ title, note }: { title: string; note: string }) {
  return (
    <div className="flex flex-col gap-6 overflow-hidden rounded-xl border border-line bg-linear-to-br from-accent-soft to-surface p-6">
      <svg viewBox="0 0 320 48" className="h-12 w-full max-w-xs text-accent" aria-hidden="true">
        <path
          d="M2 8h120M134 8h64M2 24h40M54 24h150M2 40h96M110 40h60M182 40h36"
          stroke="currentColor"
          strokeWidth="5"
          strokeLinecap="round"
          opacity=".55"
        />
      </svg>
      <div className="flex flex-col gap-1">
        <p className="font-medium">{title}</p>
        <p className="text-sm text-muted">{note}</p>
      </div>
    </div>
  )
}

function PlayerFrame({ player, videoId, title }: Pick<PlayerProps, 'player' | 'videoId' | 'title'>) {
  const frame = useRef<HTMLIFrameElement>(null)
  // The position at which the frame was opened. Later positions are sent to it as messages.
  const start = useRef(Math.floor(player.time)).current
  useEffect(() => {
    const send = (message: object) => frame.current?.contentWindow?.postMessage(JSON.stringify(message), PLAYER_ORIGIN)
    const onMessage = ({ origin, source, data }: MessageEvent) => {
      if (origin !== PLAYER_ORIGIN || source !== frame.current?.contentWindow || typeof data !== 'string') return
      const info = readInfo(data)
      if (info) player.report(info.currentTime, info.playerState === PLAYING)
    }
    window.addEventListener('message', onMessage)
    // The player starts reporting once it has been told that someone listens, and it may miss that message while it loads.
    const timer = setInterval(() => send({ event: 'listening', id: videoId }), 500)
    const disconnect = player.connect((func, ...args) => send({ event: 'command', func, args }))
    return () => {
      window.removeEventListener('message', onMessage)
      clearInterval(timer)
      disconnect()
    }
  }, [player, videoId])
  const query = new URLSearchParams({
    enablejsapi: '1',
    autoplay: '1',
    start: String(start),
    origin: location.origin,
    rel: '0',
  })
  return (
    <iframe
      ref={frame}
      title={title}
      src={`${PLAYER_ORIGIN}/embed/${encodeURIComponent(videoId)}?${query}`}
      allow="autoplay; encrypted-media; picture-in-picture; fullscreen"
      referrerPolicy="strict-origin-when-cross-origin"
      className="aspect-video w-full rounded-xl border border-line bg-black"
    />
  )
}

interface PlayerInfo {
  currentTime: number
  playerState?: number
}

/** Returns what the player reports in a message; null for any other message. */
function readInfo(data: string): PlayerInfo | null {
  try {
    const { event, info } = JSON.parse(data) as { event?: string; info?: Partial<PlayerInfo> | null }
    if (event !== 'infoDelivery' || typeof info?.currentTime !== 'number') return null
    return { currentTime: info.currentTime, playerState: info.playerState }
  } catch {
    return null
  }
}

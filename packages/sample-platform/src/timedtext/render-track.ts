import type { SampleTrack } from '../sample-video.ts'
import { buildAutoJson3, buildManualJson3 } from './json3.ts'
import { recognizeSpeech } from './speech.ts'
import { buildAutoSrv3, buildManualSrv3, buildSrv1, flattenLines } from './srv.ts'
import { buildAutoVtt, buildManualVtt } from './vtt.ts'

const FORMATS = ['json3', 'srv3', 'srv1', 'vtt'] as const
export type TimedtextFormat = (typeof FORMATS)[number]

export interface TimedtextPayload {
  contentType: string
  body: string
}

/** Returns the requested format. Like the platform, falls back to the oldest one for an unknown format. */
export function selectFormat(requested: string | null): TimedtextFormat {
  return FORMATS.find((format) => format === requested) ?? 'srv1'
}

export function renderTrack(track: SampleTrack, format: TimedtextFormat, lengthSeconds: number): TimedtextPayload {
  const body = track.kind === 'auto' ? renderAuto(track, format, lengthSeconds * 1000) : renderManual(track, format)
  return { contentType: CONTENT_TYPES[format], body }
}

const CONTENT_TYPES: Readonly<Record<TimedtextFormat, string>> = {
  json3: 'application/json; charset=UTF-8',
  srv3: 'text/xml; charset=UTF-8',
  srv1: 'text/xml; charset=UTF-8',
  vtt: 'text/vtt; charset=UTF-8',
}

function renderManual(track: SampleTrack, format: TimedtextFormat): string {
  const cues = track.cues()
  switch (format) {
    case 'json3':
      return buildManualJson3(cues)
    case 'srv3':
      return buildManualSrv3(cues)
    case 'srv1':
      return buildSrv1(cues)
    case 'vtt':
      return buildManualVtt(cues, track.language)
  }
}

function renderAuto(track: SampleTrack, format: TimedtextFormat, lengthMs: number): string {
  const lines = recognizeSpeech(track.cues(), track.language, lengthMs)
  switch (format) {
    case 'json3':
      return buildAutoJson3(lines, lengthMs)
    case 'srv3':
      return buildAutoSrv3(lines, lengthMs)
    case 'srv1':
      return buildSrv1(flattenLines(lines))
    case 'vtt':
      return buildAutoVtt(lines, track.language)
  }
}

import type { SampleCue, SampleTrack, SampleVideo } from '../sample-video.ts'
import { SAMPLE_TALKS } from '../samples.ts'
import { renderTrack, selectFormat } from './render-track.ts'

interface Json3Event {
  tStartMs: number
  dDurationMs?: number
  id?: number
  aAppend?: number
  segs?: { utf8: string; tOffsetMs?: number }[]
}

const cues: SampleCue[] = [
  { startMs: 3000, durationMs: 2000, text: "Don't stop; it's 5 < 6 & so on." },
  { startMs: 5200, durationMs: 3000, text: 'Second line\nin two rows' },
  { startMs: 20_000, durationMs: 2000, text: 'After a long silence.' },
]
const track = (kind: 'manual' | 'auto', language = 'en'): SampleTrack => ({
  language,
  kind,
  name: 'x',
  cues: () => cues,
})

function trackOf(video: SampleVideo, kind: 'manual' | 'auto'): SampleTrack {
  return video.tracks.find((candidate) => candidate.kind === kind) ?? track(kind)
}

function parseEvents(body: string): Json3Event[] {
  return (JSON.parse(body) as { events: Json3Event[] }).events
}

test('falls back to the oldest format for an unknown one', () => {
  expect(selectFormat(null)).toBe('srv1')
  expect(selectFormat('ttml')).toBe('srv1')
  expect(selectFormat('json3')).toBe('json3')
})

describe('manual tracks', () => {
  test('keeps texts and times in json3', () => {
    const events = parseEvents(renderTrack(track('manual'), 'json3', 30).body)
    expect(events.map((event) => [event.tStartMs, event.dDurationMs, event.segs?.[0]?.utf8])).toEqual(
      cues.map((cue) => [cue.startMs, cue.durationMs, cue.text]),
    )
  })

  test('escapes text once in srv3 and twice in srv1', () => {
    expect(renderTrack(track('manual'), 'srv3', 30).body).toContain(
      '<p t="3000" d="2000">Don&#39;t stop; it&#39;s 5 &lt; 6 &amp; so on.</p>',
    )
    expect(renderTrack(track('manual'), 'srv1', 30).body).toContain(
      '<text start="3" dur="2">Don&amp;#39;t stop; it&amp;#39;s 5 &amp;lt; 6 &amp;amp; so on.</text>',
    )
  })

  test('writes one vtt cue for each line', () => {
    const { body, contentType } = renderTrack(track('manual', 'fr'), 'vtt', 30)
    expect(contentType).toMatch(/^text\/vtt/)
    expect(body).toBe(
      "WEBVTT\nKind: captions\nLanguage: fr\n\n00:00:03.000 --> 00:00:05.000\nDon't stop; it's 5 &lt; 6 &amp; so on.\n\n" +
        '00:00:05.200 --> 00:00:08.200\nSecond line\nin two rows\n\n00:00:20.000 --> 00:00:22.000\nAfter a long silence.\n\n',
    )
  })

  test('omits characters that XML cannot represent', () => {
    const hostile = [{ startMs: 0, durationMs: 1_000, text: 'A null \u0000 and a <script>.' }]
    const { body } = renderTrack({ ...track('manual'), cues: () => hostile }, 'srv3', 300)
    expect(body).not.toContain('\u0000')
    expect(body).not.toContain('<script>')
  })
})

describe('auto-generated tracks', () => {
  test('writes a window, newline events and timed words in json3', () => {
    const events = parseEvents(renderTrack(track('auto'), 'json3', 30).body)
    expect(events[0]).toEqual({ tStartMs: 0, dDurationMs: 30_000, id: 1, wpWinPosId: 1, wsWinStyleId: 1 })
    const appended = events.filter((event) => event.aAppend === 1)
    expect(appended.every((event) => event.segs?.[0]?.utf8 === '\n')).toBe(true)
    const lines = events.filter((event) => event.segs !== undefined && event.aAppend === undefined)
    expect(appended).toHaveLength(lines.length - 1)
    expect(lines.map((event) => event.segs?.map((seg) => seg.utf8).join(''))).toEqual([
      '[Music]',
      "don't stop it's 5 6 so on second",
      'line in two rows after a long',
      'silence',
      '[Applause]',
    ])
    expect(lines[1]?.segs?.[1]).toMatchObject({ utf8: ' stop', tOffsetMs: expect.any(Number) })
    expect(appended.some((event) => event.dDurationMs === undefined)).toBe(true)
  })

  test('keeps a line on screen while the next one appears', () => {
    const video = SAMPLE_TALKS.english
    const events = parseEvents(renderTrack(trackOf(video, 'auto'), 'json3', video.lengthSeconds).body)
    const lines = events.filter((event) => event.segs !== undefined && event.aAppend === undefined)
    const overlapping = lines.filter(
      (event, index) =>
        event.tStartMs + (event.dDurationMs ?? 0) > (lines[index + 1]?.tStartMs ?? Number.POSITIVE_INFINITY),
    )
    expect(overlapping.length).toBeGreaterThan(lines.length * 0.8)
  })

  test('repeats every line in vtt', () => {
    const video = SAMPLE_TALKS.english
    const { body } = renderTrack(trackOf(video, 'auto'), 'vtt', video.lengthSeconds)
    const plain = body.replace(/<[^>]+>/g, '')
    expect(plain.split('in 1950 we had better maps of the\n')).toHaveLength(4)
    expect(body).toContain('in<00:00:03.203><c> 1950</c>')
    expect(body).toMatch(/-->.* align:start position:0%\n \n/)
  })

  test('writes timed words and newline paragraphs in srv3', () => {
    const { body } = renderTrack(track('auto'), 'srv3', 30)
    expect(body).toMatch(/<w t="0" d="30000" id="1" wp="1" ws="1"\/>/)
    expect(body).toMatch(/<p t="\d+" d="\d+" w="1" a="1">\n<\/p>/)
    expect(body).toMatch(/<s ac="0">don&#39;t<\/s><s t="\d+" ac="0"> stop<\/s>/)
  })

  test('writes no spaces in languages that use none', () => {
    const video = SAMPLE_TALKS.japanese
    const events = parseEvents(renderTrack(trackOf(video, 'auto'), 'json3', video.lengthSeconds).body)
    const text = events
      .flatMap((event) => event.segs ?? [])
      .map((seg) => seg.utf8)
      .join('')
    expect(text).toMatch(/^\[音楽\]\n今日は千年もつ紙の話をします/)
    expect(text).not.toMatch(/[ 。、]/)
  })
})

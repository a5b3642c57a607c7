import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { captionFilesFolder, readCaptionSample } from '@subtext/captions/testing'
import { readCaptionFile } from './read-caption-file.ts'
import { UnreadableCaptionsError } from './unreadable.ts'

interface Reading {
  cues?: number
  empty?: number
  firstStart?: number
  lastEnd?: number
  firstText?: string
  lastText?: string
  texts?: string[]
  speakers?: string[]
  language?: string
}

/** What cannot be compared with the number of cues: refused files, and those whose reading is described in words. */
const REFUSED: Record<string, string> = {
  'other/microdvd.sub': 'unknown_format',
  'other/table.csv': 'unknown_format',
  'other/pop_on.scc': 'unknown_format',
  'mislabelled/html_error_named.srt': 'unknown_format',
  'mislabelled/empty.srt': 'empty',
  'text/no_times.txt': 'no_times',
}
/** Files whose cues a tolerant reader counts in another way than the standard, with the segments that they have. */
const SEGMENTS: Record<string, number> = {
  // Blank lines between the times and the text.
  'vtt/many_blank_lines.vtt': 2,
  'vtt/malformed_node.vtt': 1,
  // Two voices in one cue.
  'vtt/voices_css.vtt': 6,
  // A cue with nothing but a space.
  'vtt/wpt_cue_entities.vtt': 22,
  'other/whisper.tsv': 1,
  'meetings/zoom_chat.txt': 10,
  'meetings/meet_doc.txt': 4,
  'text/youtube_show_transcript.txt': 40,
  'text/speaker_times.txt': 3,
}
/** Files whose speakers are names before a colon. */
const WITH_NAMES = new Set(['meetings/zoom_transcript.vtt', 'meetings/zoom_chat.txt', 'meetings/meet_doc.txt'])

const expectations = join(captionFilesFolder(), 'EXPECTED.json')
const readings: Record<string, Reading> = existsSync(expectations) ? JSON.parse(readFileSync(expectations, 'utf8')) : {}
const readable = Object.entries(readings).filter(([name]) => !(name in REFUSED))
/** Jest refuses an empty table, even in tests that are skipped. */
const NONE: [string, Reading][] = [['', {}]]
const whereFiles = Object.keys(readings).length > 0 ? describe : describe.skip

const read = (name: string) => readCaptionFile(readCaptionSample(name))
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

whereFiles('caption files as people have them (need TEST_CAPTION_FILES)', () => {
  test.each(Object.entries(REFUSED))('include %s, which is refused as %s', (name, reason) => {
    expect(() => read(name)).toThrow(UnreadableCaptionsError)
    expect(() => read(name)).toThrow(expect.objectContaining({ reason }))
  })

  test.each(readable.length > 0 ? readable : NONE)('include %s, which is read right', (name, expected) => {
    const { cues, language } = read(name)
    const spoken = expected.texts?.length ?? (expected.cues ?? 0) - (expected.empty ?? 0)
    expect(cues).toHaveLength(SEGMENTS[name] ?? spoken)
    if (expected.firstStart !== undefined)
      expect(cues[0]?.startMs).toBe(Math.max(0, Math.round(expected.firstStart * 1000)))
    if (expected.firstText && !WITH_NAMES.has(name))
      expect(oneLine(cues[0]?.text ?? '').startsWith(oneLine(expected.firstText).slice(0, 60))).toBe(true)
    if (expected.lastText && !WITH_NAMES.has(name))
      expect(
        oneLine(
          cues
            .slice(-2)
            .map(({ text }) => text)
            .join(' '),
        ),
      ).toContain(oneLine(expected.lastText).slice(0, 60))
    if (expected.speakers)
      expect([...new Set(cues.flatMap(({ speaker }) => speaker ?? []))].sort()).toEqual([...expected.speakers].sort())
    else if (!WITH_NAMES.has(name)) expect(cues.filter(({ speaker }) => speaker !== undefined)).toEqual([])
    if (expected.language) expect(language).toBe(expected.language)
    const ends = cues.map(({ startMs, durationMs }) => startMs + durationMs)
    if (expected.lastEnd && !expected.empty && !(name in SEGMENTS))
      expect(Math.max(...ends)).toBeGreaterThanOrEqual(Math.round(expected.lastEnd * 1000))
    for (const { text } of cues) expect(text).not.toMatch(/[\uFFFD\n\0]/)
  })
})

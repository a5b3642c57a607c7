import { readCaptionFile } from './read-caption-file.ts'

const PAGE = `<!-- saved -->
<html><head><title>0:00 Show</title><style>p { }</style></head><body><cite>Ana Torres:</cite>
  <time>0:00</time>
  <p>Good&nbsp;morning, <b>everyone</b>.</p><p>Welcome.</p>
  <time>(1:02)</time>
  <p>As I said.</p>
  <cite>Ben:</cite> <time>1:00:05</time> <p>R&amp;D is on it.</p>
  <script>track()</script></body></html>`

test('reads the page of a transcript with its speakers and times', () => {
  expect(readCaptionFile(PAGE, { pages: true }).cues).toEqual([
    { startMs: 0, durationMs: 62_000, text: 'Good morning, everyone. Welcome.', speaker: 'Ana Torres' },
    { startMs: 62_000, durationMs: 3_543_000, text: 'As I said.', speaker: 'Ana Torres' },
    { startMs: 3_605_000, durationMs: 0, text: 'R&D is on it.', speaker: 'Ben' },
  ])
})

test('refuses a page without times, and any page where none is expected', () => {
  const untimed = '<html><body><p>Only words.</p></body></html>'
  expect(() => readCaptionFile(untimed, { pages: true })).toThrow(expect.objectContaining({ reason: 'no_times' }))
  expect(() => readCaptionFile(PAGE)).toThrow(expect.objectContaining({ reason: 'unknown_format' }))
})

test('reads JSON whose times are clock times', () => {
  const captions = '{"transcripts":[{"start":"00:00:01.000","end":"00:00:2.500","speaker":"1","text":"Hello."}]}'
  expect(readCaptionFile(captions).cues).toEqual([{ startMs: 1_000, durationMs: 1_500, text: 'Hello.', speaker: '1' }])
})

import { nameSections } from './name-sections.ts'

const cues = [0, 60, 3_700].map((seconds) => ({ startMs: seconds * 1_000, durationMs: 5_000, text: 'words' }))
const section = (heading: string, ...segmentIds: number[]) => ({ heading, points: [{ text: 'a', segmentIds }] })

test('gives a section without a heading its time as the heading', () => {
  const content = { overview: [], sections: [section('Tides', 1), section('', 3, 2), section('')] }
  expect(nameSections(content, cues).sections.map(({ heading }) => heading)).toEqual([
    'Tides',
    '0:01:00 – 1:01:45',
    // Without citations the time is unknown.
    '',
  ])
})

import { nameSections } from './unnamed-sections.ts'

const cues = [0, 60, 3_700].map((seconds) => ({ startMs: seconds * 1_000, durationMs: 5_000, text: 'words' }))
const section = (heading: string, ...segmentIds: number[]) => ({ heading, points: [{ text: 'a', segmentIds }] })

test('a section without a heading is headed by its time, which keeps it apart from the one before', () => {
  const content = { overview: [], sections: [section('Tides', 1), section('', 3, 2), section('')] }
  expect(nameSections(content, cues).sections.map(({ heading }) => heading)).toEqual([
    'Tides',
    '0:01:00 – 1:01:45',
    // Nothing is known of it.
    '',
  ])
})

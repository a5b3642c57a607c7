import { measureGrowth } from '@subtext/runtime/testing'
import { parseChapters } from './chapters.ts'

const chapters = (...lines: string[]) =>
  parseChapters(lines.join('\n'), 7200).map(({ title, start }) => `${start} ${title}`)

test.each([
  ['plain', ['Hello', '0:00 One', '1:05 Two', '1:02:03 Three', 'Bye'], ['0 One', '65 Two', '3723 Three']],
  [
    'with separators and brackets',
    ['00:00 - One', '[01:00] Two', '(2:00): Three', '• 3:00 | Four'],
    ['0 One', '60 Two', '120 Three', '180 Four'],
  ],
  ['with the time at the end', ['One 0:00', 'Two - 1:00', 'Three (2:00)'], ['0 One', '60 Two', '120 Three']],
  [
    'with another list of times below',
    ['0:00 One', '1:00 Two', '2:00 Three', 'Songs:', '0:30 Tune'],
    ['0 One', '60 Two', '120 Three'],
  ],
  [
    'with times before the first',
    ['3:15 is my favourite', '0:00 One', '1:00 Two', '2:00 Three'],
    ['0 One', '60 Two', '120 Three'],
  ],
  [
    'with marks before the time',
    ['1. 0:00 One', '2) 1:00 Two', '✅2:00 Three', '👉 [3:00] Four'],
    ['0 One', '60 Two', '120 Three', '180 Four'],
  ],
  [
    'with their end times',
    ['0:00 - 1:00 One', '1:00–2:00: Two', '(2:00 - 3:00) Three', '[3:00] - [4:00] Four'],
    ['0 One', '60 Two', '120 Three', '180 Four'],
  ],
  ['in a script without spaces', ['0:00開場', '1:00第二章', '2:00　結束'], ['0 開場', '60 第二章', '120 結束']],
  [
    'after a line that looks like a chapter',
    ['0:00 on the clock', '0:00 One', '1:00 Two', '2:00 Three'],
    ['0 One', '60 Two', '120 Three'],
  ],
  [
    'of the first of two lists',
    ['0:00 One', '1:00 Two', '2:00 Three', '0:00 Uno', '1:00 Dos'],
    ['0 One', '60 Two', '120 Three'],
  ],
  [
    'up to the end of the video',
    ['0:00 One', '1:00 Two', '2:00 Three', '2:30:00 Four'],
    ['0 One', '60 Two', '120 Three'],
  ],
])('parses chapters %s', (_, lines, expected) => {
  expect(chapters(...lines)).toEqual(expected)
})

test.each([
  ['only two lines', ['0:00 One', '1:00 Two']],
  ['lines without one at 0:00', ['0:10 One', '1:00 Two', '2:00 Three']],
  ['falling times', ['0:00 One', '5:00 Two', '4:00 Three']],
  ['no titles', ['0:00', '1:00', '2:00']],
  ['times of the day', ['0:00am One', '1:00pm Two', '2:00pm Three']],
  ['longer numbers', ['0:00:00:00 One', '1:000 Two', '2:000 Three']],
  ['times within sentences', ['At 0:00 we begin', 'at 1:00 we go on', 'at 2:00 we end']],
])('finds no chapters in %s', (_, lines) => {
  expect(chapters(...lines)).toEqual([])
})

test.each([' - ', '1:', '0:00 ', '0:00 x - ', '(', '1. '])(
  'parses a hostile line of many %p in linear time',
  async (part) => {
    const parse = (repeats: number) => void parseChapters(part.repeat(repeats), 100)
    expect(await measureGrowth(parse, { small: 2_000, large: 32_000 })).toBeLessThan(6)
  },
)

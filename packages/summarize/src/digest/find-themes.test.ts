import type { Summary } from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'
import { findThemes } from './find-themes.ts'

const point = (text: string, segmentId: number) => ({ text, segmentIds: [segmentId] })
const videoWith = (jobId: string, texts: string[]) => ({
  jobId,
  info: newVideoInfo(`video-${jobId}`),
  language: 'en',
  summaries: [
    {
      mode: 'tldr',
      content: { overview: texts.map((text, nth) => point(text, nth + 1)), sections: [] },
    } as unknown as Summary,
  ],
  citedStarts: Object.fromEntries(texts.map((_, nth) => [nth + 1, nth * 10_000])),
})

test('groups what two videos speak of, with links to the moments, and leaves out what only one says', () => {
  const themes = findThemes([
    videoWith('a', ['Glaciers shrink.', 'Violins sound warm.', 'Violins are old.']),
    videoWith('b', ['Nobody came.', 'A glacier carves valleys.']),
  ])
  expect(themes).toMatchObject([
    {
      title: expect.stringMatching(/^Glaciers?$/),
      points: [
        { jobId: 'a', text: 'Glaciers shrink.', url: expect.stringMatching(/video-a&t=0s$/) },
        { jobId: 'b', text: 'A glacier carves valleys.', url: expect.stringMatching(/video-b&t=10s$/) },
      ],
    },
  ])
})

test('one video alone has no themes, and neither have videos without summaries', () => {
  expect(findThemes([videoWith('a', ['Glaciers shrink.', 'Glaciers carve valleys.'])])).toEqual([])
  expect(findThemes([])).toEqual([])
})

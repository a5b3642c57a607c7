import { createSlugger } from './heading-slug.ts'

test('gives headings the anchors that GitHub gives them', () => {
  const toSlug = createSlugger()
  const headings = [
    'TL;DR',
    'Key insights',
    'C’est où ?',
    '要約',
    'सारांश',
    'a_b - c',
    'TL;DR',
    'tldr-1',
    'TLDR',
    '?!',
    '?!',
  ]
  expect(headings.map(toSlug)).toEqual([
    'tldr',
    'key-insights',
    'cest-où-',
    '要約',
    'सारांश',
    'a_b---c',
    'tldr-1',
    'tldr-1-1',
    'tldr-2',
    '',
    '-1',
  ])
})

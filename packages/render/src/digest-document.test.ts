import { renderDigestHtml, renderDigestMarkdown } from './digest-document.ts'

const JOB = '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11'
const digestWith = (url: string) => ({
  language: 'en',
  created_at: '2026-11-29T00:00:00.000Z',
  themes: [
    {
      title: 'Tides',
      points: [{ text: 'Tides turn.', citations: [{ job_id: JOB, segment_id: 1, start: 63.2, url }] }],
    },
  ],
  disagreements: [],
  videos: [
    {
      job_id: JOB,
      video_id: 'a',
      video_url: url,
      video_title: 'The sea',
      status: 'completed' as const,
      one_line: 'It is big.',
    },
  ],
  coverage: { videos: 1, failed: 0, points: 1, points_used: 1 },
})

test.each([
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=63s',
  'https://media.example.org/talk.mp3#t=63',
  'https://subtext.example.org/jobs/0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11#t=63',
])('links to the moment as its citation does: %s', (url) => {
  const digest = digestWith(url)
  expect(renderDigestMarkdown(digest)).toContain(`Tides turn. (The sea) [1:03](${url})`)
  expect(renderDigestHtml(digest)).toContain(`href="${url.replace('&', '&amp;')}"`)
})

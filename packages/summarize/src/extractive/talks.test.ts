import { listPoints } from '@subtext/contracts'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { selectLabels } from '@subtext/render'
import { newSource } from '../testing/source.ts'
import { contentOf, summarizeAll } from '../testing/summarize-all.ts'

const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')

const TALKS = Object.entries(SAMPLE_TALKS).flatMap(([name, { title, description, tracks }]) => {
  const [track] = tracks
  if (!track) return []
  const chapters = [...description.matchAll(/^(\d+):(\d\d) (.*)$/gm)].map(([, minutes, seconds, text = '']) => ({
    title: text,
    start: Number(minutes) * 60 + Number(seconds),
  }))
  const { language } = track
  return [{ name, language, source: newSource([...track.cues()], { language, title, chapters }) }]
})

test.each(TALKS)('$name talk: the summaries repeat each other only where there is little else to say', async (talk) => {
  const { summaries } = await summarizeAll(talk.source)
  const modes = new Map<string, number>()
  for (const { content } of summaries) {
    for (const { text } of listPoints(content)) modes.set(text, (modes.get(text) ?? 0) + 1)
  }
  const counts = [...modes.values()]
  expect(counts.filter((count) => count >= 3).length).toBeLessThanOrEqual(3)
  expect(counts.length).toBeGreaterThan(counts.reduce((sum, count) => sum + count, 0) * 0.6)
  const [tldr, ...others] = summaries.map(({ content }) => content.overview.map(({ text }) => text))
  for (const text of tldr ?? []) expect(others.flat()).not.toContain(text)
})

const termsOf = async ({ source, language }: (typeof TALKS)[0]) => {
  const { keyTerms, colon } = selectLabels(language)
  const { sections } = await contentOf(source, 'study_notes')
  const points = sections.find(({ heading }) => heading === keyTerms)?.points ?? []
  return points.map(({ text, segmentIds }) => {
    const [term = '', ...sentence] = text.split(colon)
    return { term, sentence: sentence.join(colon), segmentIds }
  })
}

test.each(TALKS)('$name talk: each key term comes with a sentence of its own that has the term', async (talk) => {
  const terms = await termsOf(talk)
  expect(terms.length).toBeGreaterThan(0)
  const notes = listPoints(await contentOf(talk.source, 'study_notes')).map(({ text }) => text)
  for (const { term, sentence, segmentIds } of terms) {
    expect(sentence.toLowerCase()).toContain(term.toLowerCase())
    const spoken = segmentIds.map((id) => talk.source.cues[id - 1]?.text ?? '').join(' ')
    expect(bare(spoken)).toContain(bare(sentence))
    // The sentence is not a note as well.
    expect(notes).not.toContain(sentence)
  }
  for (const key of ['term', 'sentence'] as const) {
    expect(new Set(terms.map((entry) => entry[key])).size).toBe(terms.length)
  }
})

test.each([
  ['english', ['Sounding'], ['Across', 'Better', 'Drew', 'Next']],
  ['spanish', ['Diversidad'], ['Casi', 'Cerca', 'Mataba', 'Pierde', 'Millón']],
  ['french', ['Gluten'], ['Chante', 'Petit', 'Sèche', 'Rendent', 'Aligne', 'Premières']],
  ['german', ['Bericht'], ['Bienen']],
  ['portuguese', ['Nanômetro'], ['Espalha', 'Perguntou']],
  ['japanese', ['原料'], ['大きな', '古い', '丈夫', '百年']],
  ['korean', ['현상'], []],
  ['chinese', ['节气', '冬至', '平气法'], ['十五', '三百', '一年', '分成']],
  ['hindi', ['शून्य'], ['कहा', 'पास', 'सौ', 'ख़ाली']],
] as const)('%s talk: the key terms are nouns that the talk defines', async (name, expected, others) => {
  const talk = TALKS.find((candidate) => candidate.name === name)
  const terms = talk ? (await termsOf(talk)).map(({ term }) => term) : []
  expect(terms).toEqual(expect.arrayContaining([...expected]))
  for (const other of others) expect(terms).not.toContain(other)
})

test('prefers the sentence that defines a term to those that only mention it', async () => {
  const lines = [
    'We went to the coast to look at an estuary.',
    'The estuary was wide and cold that morning.',
    'Many birds feed in the estuary in winter.',
    'An estuary is a place where a river meets the sea.',
    'Nobody lives near the estuary any more.',
    'The walk home took us three hours in the rain.',
  ]
  const { sections } = await contentOf(
    newSource(lines.map((text, index) => ({ startMs: index * 2_000, durationMs: 2_000, text }))),
    'study_notes',
  )
  expect(sections.at(-1)?.points.map(({ text }) => text)).toContain(`Estuary: ${lines[3]}`)
})

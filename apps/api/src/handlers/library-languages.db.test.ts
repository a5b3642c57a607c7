import { SAMPLE_TALKS } from '@subtext/fakes'
import { useTestApi } from '../testing/api.ts'
import { highlightedIn, useTestLibrary } from '../testing/library.ts'

const api = useTestApi()
const { get, search, find, say } = useTestLibrary(api)

describe.each(Object.entries(SAMPLE_TALKS))('a talk in %s', (_, { tracks }) => {
  const [track] = tracks
  const cues = [...(track?.cues() ?? [])]
  const language = track?.language ?? 'en'
  let key: string
  let jobId: string
  beforeAll(async () => {
    key = await api.createKey()
    jobId = await say(key, cues, { language })
    await say(key, ['Something else.'])
  })

  test('is found by each of its lines, whose words are highlighted as said', async () => {
    for (const { text } of cues.slice(0, 12)) {
      const q = text.replace(/["“”„«»「」『』]/gu, ' ').slice(0, 100)
      const { hits } = await search(key, `"${q}"`)
      expect(hits.map(({ job_id }) => job_id)).toEqual([jobId])
      const letters = (value: string) => value.normalize('NFKC').replace(/[^\p{L}\p{M}\p{N}]/gu, '')
      expect(letters(hits[0]?.passages.flatMap(highlightedIn).join('') ?? '')).toContain(
        letters(q.slice(0, 80)).slice(0, 20),
      )
    }
  })

  test('counts as many mentions of a word as there are', async () => {
    const { body } = await get(key, 'mentions', { q: cues[0]?.text.match(/[\p{L}\p{M}]+/u)?.[0], by: 'video' })
    expect(body.data.total).toBeGreaterThan(0)
    expect(body.data.groups).toMatchObject([{ mentions: body.data.total, videos: 1 }])
  })
})

test.each([
  ['es', 'La canción del río', 'cancion rio', 'canto'],
  ['pt', 'As ações do governo', 'acoes', 'acaso'],
  ['fr', 'Les élèves mangées', 'eleve', 'elan'],
  ['de', 'Die Straßen und Häuser', 'STRASSE haus', 'hase'],
  ['ja', '今日はｶﾞｲﾄﾞと山へ', 'ガイド', 'カイト'],
  ['ja', '紙の 繊維は長い', '紙の繊維', '紙繊維'],
  ['ja', '猫がいる', '猫', '犬'],
  ['ko', '김치는 왜 시어지나요', '김치', '가방'],
  ['ko', '아버지가 방에 들어가신다', '아버지', '가방'],
  ['zh', '我們學習二十四節氣', '節氣', '氣節'],
  ['hi', 'यह दिन बहुत अच्छा है', 'दिन', 'दीन'],
  ['ar', 'كِتَابٌ جَدِيدٌ', 'كتاب', 'كاتب'],
  ['ru', 'Мы ещё раз', 'еще', 'йод'],
  ['tr', 'ISPARTA güzel', 'ısparta', 'sparta'],
])('folds %s: %s is found by %s, not by %s', async (language, said, found, other) => {
  const key = await api.createKey()
  const jobId = await say(key, [said], { language })
  expect(await find(key, found)).toEqual([jobId])
  expect(await find(key, other)).toEqual([])
})

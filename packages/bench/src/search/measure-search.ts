import type { LibrarySearchKind, LibrarySearchResult } from '@subtext/contracts'
import { at } from '@subtext/runtime'
import { rankPassages } from '@subtext/search'
import { cuesOf, QUESTIONS } from '@subtext/search/testing'
import { createAccounts } from '../accounts.ts'
import type { Bench, Part } from '../part.ts'
import { median, quantile } from '../quartiles.ts'
import { headersOf } from '../requests/setup.ts'
import { formatLine } from '../table.ts'
import { openTestBed, type TestBed } from '../test-bed.ts'
import { createRandom, createWriter, LANGUAGES, listQuestions, listTalks } from './corpus.ts'
import { type IndexCost, seedVideo } from './seed.ts'

const VIDEOS = 1_000
const QUERIES = 200
const WARM_UP = 20
const HITS = 10
const WIDTHS = [44, 26, 12]

/** The n-th most frequent word of a vocabulary that is asked for. */
const RANKS = [30, 300, 1_000, 3_000, 10_000]
/** Words of a query. */
const WORDS = { words: 2, question: 5 }

/** Searches as an account, and returns what is found and how many milliseconds it took. */
type Search = (q: string, kind: LibrarySearchKind) => Promise<LibrarySearchResult & { ms: number }>

interface Library {
  search: Search
  /** The jobs of the talks, by their videos. */
  jobs: ReadonlyMap<string, string>
  vocabularies: string[][]
  costs: IndexCost[]
  /** Of the index, for each video of an hour. */
  bytesPerVideo: number
}

/** Measures a library of videos of an hour: what a search takes and finds, and what the index takes. `search 200`: fewer videos. */
export const measureSearch: Part = async (bench) => {
  const videos = Number(bench.words[0] ?? VIDEOS)
  const library = await buildLibrary(bench, videos)
  bench.say('questions')
  const lines = [
    ['hit@10 over all videos', await askAll(library), '>= 0.45'],
    ['hit@10 in one video', await askOne(), '>= 0.85'],
    ['known item, Japanese and Korean', await findKnown(library), '>= 0.95'],
  ]
  bench.say('times')
  const times = await measureTimes(library)
  const p95 = (kind: LibrarySearchKind) =>
    `${quantile(times[kind], 0.95).toFixed(0)} ms (median ${median(times[kind]).toFixed(0)})`
  const cost = (pick: (cost: IndexCost) => number) => median(library.costs.map(pick)).toFixed(1)
  lines.push(
    ['words, p95', p95('words'), '<= 300'],
    ['question, p95', p95('question'), '<= 300'],
    ['index of an hour', `${(library.bytesPerVideo / 1_000).toFixed(1)} kB`, '<= 40'],
    ['listing the words of an hour', `${cost(({ cpuMs }) => cpuMs)} ms of CPU`, '<= 25'],
    ['storing them', `${cost(({ storeMs }) => storeMs)} ms`, ''],
  )
  return [`a library of ${videos} videos of an hour`, ...lines.map((cells) => formatLine(cells, WIDTHS))].join('\n')
}

async function buildLibrary(bench: Bench, videos: number): Promise<Library> {
  const testBed = await openTestBed(bench)
  const [account] = await createAccounts([testBed.db], 1, ['read', 'write'])
  if (!account) throw new Error('There is no account.')
  const random = createRandom(1)
  const writers = LANGUAGES.map((language) => ({ language, ...createWriter(language, random) }))
  const jobs = new Map<string, string>()
  for (const talk of listTalks()) jobs.set(talk.videoId, (await seedVideo(testBed, account.userId, talk)).jobId)
  const before = await measureIndex(testBed)
  const costs: IndexCost[] = []
  for (let nth = 0; nth < videos; nth++) {
    if (nth % 100 === 0) bench.say(`${nth} of ${videos} videos`)
    const { language, write } = at(writers, nth % writers.length)
    const videoId = `filler${nth.toString().padStart(5, '0')}`
    costs.push(await seedVideo(testBed, account.userId, { videoId, language, cues: write() }))
  }
  const bytesPerVideo = ((await measureIndex(testBed)) - before) / videos
  await testBed.db.query('VACUUM ANALYZE')
  const { origin } = await testBed.startApps(['api'])
  const search: Search = async (q, kind) => {
    const start = performance.now()
    const url = `${origin}/api/v1/library/search?${new URLSearchParams({ q, kind, limit: String(HITS) })}`
    const response = await fetch(url, { headers: headersOf(account) })
    const { data } = (await response.json()) as { data: LibrarySearchResult }
    if (response.status !== 200) throw new Error(`A search for ${q} was answered ${response.status}.`)
    return { ...data, ms: performance.now() - start }
  }
  return { search, jobs, vocabularies: writers.map(({ vocabulary }) => vocabulary), costs, bytesPerVideo }
}

async function measureIndex({ db }: TestBed): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    `SELECT pg_total_relation_size('library_entries')::float8 AS bytes`,
  )
  return rows[0]?.bytes ?? 0
}

const formatShare = (part: number, all: number): string => `${(part / all).toFixed(3)} of ${all}`

/** Returns how often a passage of the ten hits has the answer to a question. */
async function askAll({ search, jobs }: Library): Promise<string> {
  const questions = listQuestions()
  let found = 0
  for (const { question, answer, videoId } of questions) {
    const { hits } = await search(question, 'question')
    const hit = hits.find(({ job_id }) => job_id === jobs.get(videoId))
    if (hit?.passages.some(({ text }) => text.includes(answer))) found++
  }
  return formatShare(found, questions.length)
}

/** Returns how often the first hit of a phrase is the talk in which it is said. */
async function findKnown({ search, jobs }: Library): Promise<string> {
  let [found, all] = [0, 0]
  for (const { language, videoId, cues } of listTalks()) {
    if (language !== 'ja' && language !== 'ko') continue
    for (const { text } of cues) {
      const phrase = text
        .match(/[\p{L}\p{N} ]{6,}/u)?.[0]
        .trim()
        .slice(0, 12)
      if (!phrase) continue
      all++
      const [best] = (await search(`"${phrase}"`, 'words')).hits
      if (best?.job_id === jobs.get(videoId)) found++
    }
  }
  return formatShare(found, all)
}

/** Searches for words of different frequency, one search after another. */
async function measureTimes({ search, vocabularies }: Library): Promise<Record<LibrarySearchKind, number[]>> {
  const random = createRandom(2)
  const times: Record<LibrarySearchKind, number[]> = { words: [], question: [] }
  for (let nth = 0; nth < QUERIES + WARM_UP; nth++) {
    const vocabulary = at(vocabularies, nth % vocabularies.length)
    const kind = nth % 2 ? 'words' : 'question'
    const pick = (): string | undefined =>
      vocabulary[at(RANKS, Math.floor(random() * RANKS.length)) % vocabulary.length]
    const words = Array.from({ length: WORDS[kind] }, pick)
    const { ms } = await search(words.join(' '), kind)
    if (nth >= WARM_UP) times[kind].push(ms)
  }
  return times
}

/** Returns how often one of the ten passages of a talk that fit a question best has its answer. */
async function askOne(): Promise<string> {
  let [found, all] = [0, 0]
  for (const [language, { talk, questions }] of Object.entries(QUESTIONS)) {
    for (const [question, answer] of questions) {
      const ranked = await rankPassages(cuesOf(talk), { question, language }, async () => {}, 40)
      all++
      if (ranked.slice(0, HITS).some(({ text }) => text.includes(answer))) found++
    }
  }
  return formatShare(found, all)
}

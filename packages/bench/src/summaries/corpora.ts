import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { joinTokens, SPOKEN_SAMPLES, type SpokenDocument } from '@subtext/summarize/testing'
import { readTreebanks } from '../claims/read-treebank.ts'

/** Which half of a corpus is read: nothing was tuned on `test`. */
export type Split = 'dev' | 'test'

/** Texts that the weights were not trained on. `path` is below the folder with the checkouts. */
interface Corpus {
  title: string
  path: string
  read(folder: string, split: Split): SpokenDocument[]
}

const LETTER = /\p{L}/u
const EXCERPT_LINES = 110
const MIN_EXCERPT_LINES = 60
const MIN_CHARS = 3_000
const MAX_CHARS = 60_000

const readText = (...path: string[]): string => readFileSync(join(...path), 'utf8')
const listFiles = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path))
    .sort()
/** Every `step`th element; the test split has those between. */
const thin = <T>(list: T[], step: number, split: Split): T[] =>
  list.filter((_, i) => i % step === (split === 'dev' ? 0 : step >> 1))

/** Talks without borders between them: a subtitle a line. */
const readExcerpts = (language: string, lines: string[]): SpokenDocument[] =>
  Array.from({ length: Math.ceil(lines.length / EXCERPT_LINES) }, (_, i) =>
    lines.slice(i * EXCERPT_LINES, (i + 1) * EXCERPT_LINES),
  )
    .filter((paragraphs) => paragraphs.length >= MIN_EXCERPT_LINES)
    .map((paragraphs) => ({ language, title: paragraphs[0]?.slice(0, 40) ?? '', paragraphs }))

const talks = (language: string): Corpus => ({
  title: `TED ${language}`,
  path: 'DevSinghSachan/ted',
  read(folder, split) {
    const lines = readText(folder, `${split}.${language}`)
      .replace(/\( [^)]{1,30} \)/g, ' ')
      .split('\n')
      .map((line) => joinTokens(line.replace(/^__\w+__ /, '')))
      .filter((line) => LETTER.test(line))
    return readExcerpts(language, lines)
  },
})

const ENGLISH_TALKS: Corpus = {
  title: 'TED en',
  path: 'saranyan/TED-Talks/cleaned_ted_data',
  read: (folder, split) =>
    thin(listFiles(folder, /\.md$/), 40, split).flatMap((path) => {
      const text = readText(folder, path)
        .replace(/&#39;/g, "'")
        .replace(/&quot;/g, '"')
        .replace(/&amp;/g, '&')
        .replace(/\([A-Z][^()]*\)/g, ' ')
        .replace(/\s+/g, ' ')
      const title = basename(path, '.md').replaceAll('_', ' ')
      return text.length > MIN_CHARS && /[.!?]/.test(text) ? [{ language: 'en', title, paragraphs: [text] }] : []
    }),
}

interface Meeting {
  topic_list?: { topic: string }[]
  meeting_transcripts: { content: string }[]
  general_query_list: { answer: string }[]
}

const MEETINGS: Corpus = {
  title: 'QMSum',
  path: 'Yale-LILY/QMSum/data/ALL',
  read: (root, split) => {
    const folder = join(root, split === 'dev' ? 'val' : 'test')
    return thin(listFiles(folder, /\.json$/), 3, split).map((path) => {
      const meeting = JSON.parse(readText(folder, path)) as Meeting
      return {
        language: 'en',
        title: meeting.topic_list?.[0]?.topic ?? 'Meeting',
        paragraphs: meeting.meeting_transcripts.map(({ content }) => joinTokens(content)).filter((t) => LETTER.test(t)),
        references: meeting.general_query_list.map(({ answer }) => answer),
      }
    })
  },
}

const CALLS: Corpus = {
  title: 'ECTSum',
  path: 'rajdeep345/ECTSum/data/final',
  read: (root, split) => {
    const folder = join(root, split === 'dev' ? 'val' : 'test')
    return thin(listFiles(join(folder, 'ects'), /\.txt$/), 4, split).map((path) => ({
      language: 'en',
      title: 'Earnings call',
      paragraphs: readText(folder, 'ects', path)
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
      references: [readText(folder, 'gt_summaries', path)],
    }))
  },
}

const PODCASTS: Corpus = {
  title: 'podcasts',
  path: 'apoorvumang/seenunseen-whisper/transcripts_vtt',
  read: (folder, split) =>
    thin(listFiles(folder, /\.vtt$/), 30, split).map((path) => ({
      language: 'en',
      title: basename(path).replace(/\.\w+$/, ''),
      paragraphs: [
        [...readText(folder, path).matchAll(/-->.*\n\[[^\]]*\]: (.*)/g)]
          .map(([, line = '']) => line.trim())
          .join(' ')
          .slice(0, MAX_CHARS),
      ],
    })),
}

const SPEECHES: Corpus = {
  title: 'speeches hi',
  path: 'jerinphilip/mann-ki-baat/dump',
  read: (folder, split) =>
    thin(listFiles(folder, /^hi-/), 4, split).flatMap((path) => {
      const text = readText(folder, path)
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line.length > 300)
        .join(' ')
        .replace(/\s{0,9}[|।]/g, '।')
      return text.length > MIN_CHARS ? [{ language: 'hi', title: 'मन की बात', paragraphs: [text] }] : []
    }),
}

const news = (language: string, name: string): Corpus => ({
  title: `news ${language}`,
  path: `UniversalDependencies/UD_${name}-PUD`,
  read: (folder, split) => {
    const sentences = readTreebanks(folder).flatMap((document) => document.sentences)
    const half = sentences.length >> 1
    return readExcerpts(language, split === 'dev' ? sentences.slice(0, half) : sentences.slice(half))
  },
})

const CORPORA: Corpus[] = [
  ENGLISH_TALKS,
  MEETINGS,
  CALLS,
  PODCASTS,
  ...['de', 'es', 'fr', 'pt'].map(talks),
  SPEECHES,
  news('ar', 'Arabic'),
  news('ko', 'Korean'),
  news('zh', 'Chinese'),
]

const sampleTalks = () =>
  SPOKEN_SAMPLES.map(({ talk, ...document }) => ({ title: `${talk} ${document.language}`, documents: [document] }))

/** Reads the corpora whose checkouts are below `root`, at most `limit` documents of each, and our own sample talks. */
export const readSummaryCorpora = (root: string, split: Split, limit: number) => [
  ...CORPORA.filter(({ path }) => existsSync(join(root, path))).map(({ title, path, read }) => ({
    title,
    documents: read(join(root, path), split).slice(0, limit),
  })),
  ...sampleTalks(),
]

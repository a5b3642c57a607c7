import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { joinTokens, listMarkdownProse } from './clean-text.ts'

/** The paragraphs of a text in their order. */
type Document = string[]

interface Corpus {
  /** As on GitHub. The checkout is expected in a folder of this name. */
  repository: string
  files: RegExp
  encoding?: BufferEncoding
  /** Whether the sentences do not follow each other. */
  isLoose?: boolean
  /** Words that are enough. */
  maxWords?: number
  read(content: string): Document[]
}

/** Speech has longer sentences than collections of examples. */
const MIN_WORDS = 8
const MAX_LINES = 8_000
const PARTS = 7

const markdown = (content: string): Document[] => [listMarkdownProse(content)]

const articles = (language: string): Corpus => ({
  repository: 'github/opensource.guide',
  files: new RegExp(`^_articles/${language}/.*\\.md$`),
  read: markdown,
})

const handbook = (language: string): Corpus => ({
  repository: `reactjs/${language}.react.dev`,
  files: /^src\/content\/(?:learn|blog|community)\/.*\.md$/,
  read: markdown,
})

const stories = (repository: string, language: string): Corpus => ({
  repository,
  files: new RegExp(`^${language}/.*\\.md$`),
  // Some of the stories are under other licenses.
  read: (content) => (/License: \[CC-BY\]/.test(content) ? markdown(content) : []),
})

const talks = (files: RegExp): Corpus => ({
  repository: 'bitcointranscripts/bitcointranscripts',
  files,
  read: markdown,
})

/** Sentences that do not belong together, one a line. Sorted ones begin alike, so that neighbors are taken from afar. */
const sentences = (files: RegExp): Corpus => ({
  repository: 'common-voice/common-voice',
  files,
  isLoose: true,
  maxWords: 200_000,
  read(content) {
    const lines = content
      .split('\n')
      .filter((line) => line.split(' ').length >= MIN_WORDS)
      .map((line) => (/[.!?।؟]["'”’»]*$/u.test(line) ? line : `${line}.`))
    const step = Math.max(1, Math.ceil(lines.length / MAX_LINES))
    const shares = Array.from({ length: PARTS }, (_, part) =>
      lines.slice((lines.length * part) / PARTS, (lines.length * (part + 1)) / PARTS),
    )
    return [shares[0]?.flatMap((_, i) => (i % step === 0 ? shares.map((share) => share[i] ?? '') : [])) ?? []]
  },
})

/** Sentences in the order of the text they are from, one a line. */
const orderedSentences = (files: RegExp): Corpus => ({
  repository: 'common-voice/common-voice',
  files,
  read: (content) => [content.split('\n')],
})

const novel = (repository: string, file: string): Corpus => ({
  repository: `GITenberg/${repository}`,
  files: new RegExp(`^${file}$`),
  encoding: 'latin1',
  read: (content) => [
    content
      .split(/\r?\n\s*\r?\n/)
      .slice(30, -100)
      .map((paragraph) =>
        paragraph
          .replace(/\[[^\]]*\]|_/g, '')
          .replace(/--|--/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((paragraph) => /[.!?]["'»«]*$/.test(paragraph)),
  ],
})

const meetings: Corpus = {
  repository: 'Yale-LILY/QMSum',
  files: /^data\/ALL\/train\/.*\.json$/,
  maxWords: 700_000,
  read(content) {
    const { meeting_transcripts: turns } = JSON.parse(content) as { meeting_transcripts: { content: string }[] }
    return [turns.map((turn) => joinTokens(turn.content)).filter((text) => /\p{L}/u.test(text))]
  },
}

const parliament: Corpus = {
  repository: 'calzada/PARLAMINT-ES-MC',
  files: /^CD\.sample\/.*\.xml$/,
  read: (content) => [
    [...content.matchAll(/<speech[^>]*>([\s\S]*?)<\/speech>/g)].map(([, speech = '']) =>
      speech
        .replace(/<omit[\s\S]*?<\/omit>|<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  ],
}

/** Only the texts of a United States agency, without the annotations beside them. */
const FEDERAL_RESERVE = 'gtfintechlab/fomc-hawkish-dovish'

const pressConferences: Corpus = {
  repository: FEDERAL_RESERVE,
  files: /^data\/raw_data\/press_conference\/csv\/all\/.*\.csv$/,
  read: (content) => [
    content
      .split('\n')
      .slice(1)
      .map((row) =>
        row
          .replace(/^\d+,[^,]*,/, '')
          .replace(/^"|"$/g, '')
          .replaceAll('""', '"'),
      ),
  ],
}

const speeches: Corpus = {
  repository: FEDERAL_RESERVE,
  files: /^data\/raw_data\/speech\/text\/all\/.*[05]\w?\.txt$/,
  maxWords: 400_000,
  read: (content) => [content.split('\n').map((line) => line.replace(/^["”]?\d+ /, ''))],
}

/** What the weights of each language are trained on. README.md beside this file names the licenses. */
export const CORPORA: Record<string, Corpus[]> = {
  en: [meetings, pressConferences, speeches, talks(/^(?!.*\.\w\w\.md$|.*(?:README|LICENSE|STYLE|_index)).*\.md$/)],
  es: [
    sentences(/^server\/data\/es\/sentence.*\.txt$/),
    talks(/\.es\.md$/),
    articles('es'),
    handbook('es'),
    parliament,
    stories('global-asp/global-asp', 'es'),
  ],
  fr: [
    orderedSentences(/^server\/data\/fr\/(?:assemblee|libretheatre|gutenberg).*\.txt$/),
    sentences(/^server\/data\/fr\/(?:issue|global).*\.txt$/),
    novel('Madame-Bovary_14155', '14155-8.txt'),
    articles('fr'),
    handbook('fr'),
    stories('global-asp/asp-source', 'fr'),
  ],
  de: [
    sentences(/^server\/data\/de\/(?:sentence|jf99|est31|DonHege|zeno).*\.txt$/),
    novel('Effi-Briest_5323', '5323-8.txt'),
    articles('de'),
    handbook('de'),
    stories('global-asp/global-asp', 'de'),
  ],
  pt: [
    sentences(/^server\/data\/pt\/sentence.*\.txt$/),
    novel('Dom-Casmurro_55752', '55752-8.txt'),
    articles('pt'),
    handbook('pt-br'),
    stories('global-asp/asp-source', 'pt'),
  ],
  hi: [
    sentences(/^server\/data\/hi\/.*\.txt$/),
    articles('hi'),
    handbook('hi'),
    stories('global-asp/pb-source', 'hi'),
    stories('global-asp/global-asp', 'hi'),
  ],
  ar: [
    sentences(/^server\/data\/ar\/sentence.*\.txt$/),
    articles('ar'),
    handbook('ar'),
    stories('global-asp/global-asp', 'ar'),
  ],
}

const FOREIGN: Record<string, RegExp> = { hi: /\p{sc=Devanagari}/u, ar: /\p{sc=Arabic}/u }
const ENGLISH = /\b(?:the|of|to|is|you|and|with|this|that|it|in)\b/gi

/** Translations of software handbooks contain paragraphs that nobody has translated yet. */
function isTranslated(paragraph: string, language: string): boolean {
  const script = FOREIGN[language]
  if (script) return script.test(paragraph)
  const words = paragraph.split(' ').length
  return language === 'en' || (paragraph.match(ENGLISH)?.length ?? 0) < words / 8
}

const isPath = (entry: { isFile(): boolean }): boolean => entry.isFile()

/** Returns the documents of a corpus below `root`, in the order of their paths. */
export function readCorpus(
  { repository, files, read, encoding = 'utf8' }: Corpus,
  language: string,
  root: string,
): Document[] {
  const folder = join(root, repository)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(isPath)
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => files.test(path))
    .sort()
    .flatMap((path) => read(readFileSync(join(folder, path), encoding)))
    .map((paragraphs) => paragraphs.filter((paragraph) => isTranslated(paragraph, language)))
}

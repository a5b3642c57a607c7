import {
  type ClaimCounts,
  type ClaimKind,
  HELD_OUT,
  measureClaims,
  measureTranslations,
  newCounts,
  type SpokenText,
  TRANSLATIONS,
} from '@subtext/evidence/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { readSentences, readTreebanks } from './read-treebank.ts'

const KINDS = ['number', 'reversal', 'name', 'true'] as const satisfies ClaimKind[]
const HEADINGS: Record<ClaimKind, string> = {
  number: 'altered numbers shown',
  reversal: 'reversed shown',
  name: 'swapped names shown',
  true: 'true claims lost',
}
const WIDTH = 26

/** Languages that write nouns like names: which words are names is only known where the text lists them. */
const CAPITALIZED_NOUNS = new Set(['de'])

const describe = ({ checked, wrong }: ClaimCounts[ClaimKind]): string =>
  checked === 0 ? '-' : `${wrong.length} of ${checked} (${((100 * wrong.length) / checked).toFixed(1)} %)`

/** Prints what was counted, a line to a language or a pair of languages. */
function formatCounts(title: string, counts: ReadonlyMap<string, ClaimCounts>, isListing: boolean): string {
  const rows = [...counts].map(
    ([language, own]) => `  ${language.padEnd(8)}${KINDS.map((kind) => describe(own[kind]).padStart(WIDTH)).join('')}`,
  )
  const head = `${title.padEnd(10)}${KINDS.map((kind) => HEADINGS[kind].padStart(WIDTH)).join('')}`
  const wrong = [...counts].flatMap(([language, own]) =>
    KINDS.flatMap((kind) => own[kind].wrong.map((claim) => `${language} ${HEADINGS[kind]}: ${claim}`)),
  )
  return [head, ...rows, ...(isListing ? wrong : [])].join('\n')
}

function measureAll(title: string, texts: readonly SpokenText[], isListing: boolean): string {
  const counts = new Map<string, ClaimCounts>()
  for (const text of texts) {
    const own = counts.get(text.language) ?? newCounts()
    counts.set(text.language, own)
    measureClaims(CAPITALIZED_NOUNS.has(text.language) ? { names: [], ...text } : text, own)
  }
  return formatCounts(title, counts, isListing)
}

interface Translated {
  language: string
  sentences: ReadonlyMap<string, string>
}

/** Measures claims in each language about the same sentences in English, and claims in English about those in each language. */
function measurePairs(title: string, texts: readonly Translated[], isListing: boolean): string {
  const counts = new Map<string, ClaimCounts>()
  for (const lines of texts) {
    for (const claims of texts) {
      if (lines === claims || ![lines.language, claims.language].includes('en')) continue
      const ids = [...lines.sentences.keys()].filter((id) => claims.sentences.has(id))
      const textOf = ({ language, sentences }: Translated): SpokenText => ({
        language,
        sentences: ids.map((id) => sentences.get(id) ?? ''),
        ...(CAPITALIZED_NOUNS.has(language) && { names: [] }),
      })
      const own = newCounts()
      measureTranslations(textOf(lines), textOf(claims), own)
      counts.set(`${lines.language}>${claims.language}`, own)
    }
  }
  return formatCounts(title, counts, isListing)
}

const listTranslations = (): Translated[] =>
  Object.entries(TRANSLATIONS).map(([language, sentences]) => ({
    language,
    sentences: new Map(sentences.map((sentence, index) => [String(index), sentence])),
  }))

const listTalks = (): SpokenText[] =>
  Object.values(SAMPLE_TALKS).flatMap(({ tracks }) => {
    const [track] = tracks
    return track
      ? [{ language: track.language.split('-')[0] ?? '', sentences: [...track.cues()].map(({ text }) => text) }]
      : []
  })

/**
 * Counts altered claims that are shown and true ones that are lost: of a text that nothing was tuned on, of the sample talks,
 * of translations, and of the treebanks in a folder, which are compared with each other by the numbers of their sentences. `args`: the folder, and `list` to print every claim that is judged wrongly.
 */
export async function measureClaimChecks(args: readonly string[]): Promise<string> {
  const isListing = args.includes('list')
  const folder = args.find((word) => word !== 'list')
  const tables = [
    measureAll('held out', HELD_OUT, isListing),
    measureAll('talks', listTalks(), isListing),
    measurePairs('translated', listTranslations(), isListing),
  ]
  if (folder !== undefined) {
    tables.push(measureAll('treebanks', readTreebanks(folder), isListing))
    tables.push(measurePairs('translated', readSentences(folder), isListing))
  }
  return tables.join('\n\n')
}

import { writeFileSync } from 'node:fs'
import { encodeWeights } from '../extractive/borders/weights.ts'
import { CORPORA, readCorpus } from './corpora.ts'
import { type Labeled, labelWords } from './sentences-of.ts'
import { trainWeights } from './train.ts'

/** The weights barely improve beyond it. */
const MAX_WORDS = Number(process.env.MAXW ?? 1_500_000)
const [root = '', ...languages] = process.argv.slice(2)

for (const language of languages.length > 0 ? languages : Object.keys(CORPORA)) {
  const documents: Labeled[] = []
  const connected: Labeled[] = []
  let total = 0
  for (const corpus of CORPORA[language] ?? []) {
    let words = 0
    for (const paragraphs of readCorpus(corpus, language, root)) {
      const labeled = labelWords(paragraphs, language)
      if (labeled.words.length < 30) continue
      if (words > (corpus.maxWords ?? MAX_WORDS) || total + words > MAX_WORDS) break
      words += labeled.words.length
      documents.push(labeled)
      if (!corpus.isLoose) connected.push(labeled)
    }
    total += words
    console.log(`${language}: ${corpus.repository}, ${words} words`)
  }
  console.log(
    language,
    'words per end',
    documents.reduce((n, d) => n + d.ends.length, 0) /
      documents.reduce((n, d) => n + d.ends.reduce((a, b) => a + b, 0), 0),
  )
  const startedAt = performance.now()
  writeFileSync(process.env.OUT + '/' + language + '.bin', encodeWeights(trainWeights(documents, connected)))
  console.log(`${language}: ${total} words, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
}

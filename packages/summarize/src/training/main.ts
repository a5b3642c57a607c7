import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeWeights } from '../extractive/borders/weights.ts'
import { CORPORA, readCorpus } from './corpora.ts'
import { type Labeled, labelWords } from './sentences-of.ts'
import { type TrainingSet, trainWeights } from './train.ts'

/** More text takes longer and improves the weights little. */
const MAX_WORDS = 2_000_000
/** The languages whose corpora are mostly transcripts. */
const SPEECH = new Set(['en', 'es'])
/** Shorter documents are titles and remarks. */
const MIN_WORDS = 30
const WEIGHTS = fileURLToPath(new URL('../extractive/borders/weights/', import.meta.url))
const [root, ...languages] = process.argv.slice(2)
if (root === undefined)
  throw new Error('Name the folder with the checkouts: see packages/summarize/src/training/README.md.')

function readDocuments(language: string, root: string): TrainingSet {
  const documents: Labeled[] = []
  const connected: Labeled[] = []
  let total = 0
  for (const corpus of CORPORA[language] ?? []) {
    const limit = Math.min(corpus.maxWords ?? MAX_WORDS, MAX_WORDS - total)
    let words = 0
    for (const paragraphs of readCorpus(corpus, language, root)) {
      const labeled = labelWords(paragraphs, language)
      if (labeled.words.length < MIN_WORDS) continue
      if (words > limit) break
      words += labeled.words.length
      documents.push(labeled)
      if (!corpus.isLoose) connected.push(labeled)
    }
    total += words
    console.log(`${language}: ${corpus.repository}, ${words} words`)
  }
  return { documents, connected, isSpeech: SPEECH.has(language) }
}

for (const language of languages.length > 0 ? languages : Object.keys(CORPORA)) {
  const startedAt = performance.now()
  writeFileSync(join(WEIGHTS, `${language}.bin`), encodeWeights(trainWeights(readDocuments(language, root))))
  console.log(`${language}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
}

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SpokenText } from '@subtext/evidence/testing'

const TREEBANK = /^([a-z]{2})_.*\.conllu$/
const TEXT = '# text = '
const DOCUMENT = '# newdoc'
const ID = '# sent_id = '

/** Reads all treebanks in a folder, whose names begin with their language: `de_pud-ud-test.conllu`. */
const readFiles = (folder: string): { language: string; lines: string[] }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const language = TREEBANK.exec(basename(path))?.[1]
    return language === undefined ? [] : [{ language, lines: readFileSync(join(folder, path), 'utf8').split('\n') }]
  })

/** Returns the documents of a treebank in the CoNLL-U format of Universal Dependencies: a list of sentences each. */
function listDocuments(lines: readonly string[]): string[][] {
  const documents: string[][] = [[]]
  for (const line of lines) {
    if (line.startsWith(DOCUMENT)) documents.push([])
    else if (line.startsWith(TEXT)) documents.at(-1)?.push(line.slice(TEXT.length).trim())
  }
  return documents.filter((sentences) => sentences.length > 0)
}

/** Returns the texts of all treebanks in a folder. */
export const readTreebanks = (folder: string): SpokenText[] =>
  readFiles(folder).flatMap(({ language, lines }) => listDocuments(lines).map((sentences) => ({ language, sentences })))

/** Returns the sentences of each treebank in a folder by their numbers, which are the same in parallel treebanks. */
export const readSentences = (folder: string): { language: string; sentences: Map<string, string> }[] =>
  readFiles(folder).map(({ language, lines }) => {
    const sentences = new Map<string, string>()
    let id = ''
    for (const line of lines) {
      if (line.startsWith(ID)) id = line.slice(ID.length).trim()
      if (line.startsWith(TEXT)) sentences.set(id, line.slice(TEXT.length).trim())
    }
    return { language, sentences }
  })

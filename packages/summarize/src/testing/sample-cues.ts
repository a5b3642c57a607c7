import type { Cue } from '@subtext/contracts'

export interface SampleTranscript {
  language: string
  sentences: string[]
}

const MS_PER_CHAR = 70

const isUnspaced = (language: string): boolean => /^(?:ja|zh)/u.test(language)

/** Breaks text into lines of at most `width` characters, at spaces if the language has them. */
function breakLines(text: string, width: number, unspaced: boolean): string[] {
  if (unspaced) return text.match(new RegExp(`.{1,${width}}`, 'gu')) ?? []
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function toCues(lines: string[]): Cue[] {
  let startMs = 0
  return lines.map((text) => {
    const durationMs = text.length * MS_PER_CHAR
    const cue = { startMs, durationMs, text }
    startMs += durationMs
    return cue
  })
}

/** Creates captions as people write them: sentences broken into short lines. */
export const writtenCues = ({ language, sentences }: SampleTranscript): Cue[] =>
  toCues(sentences.flatMap((sentence) => breakLines(sentence, isUnspaced(language) ? 14 : 38, isUnspaced(language))))

/** Creates captions as machines write them: no punctuation or capitals, lines broken anywhere and overlapping in time. */
export function spokenCues({ language, sentences }: SampleTranscript): Cue[] {
  const unspaced = isUnspaced(language)
  const bare = sentences.map((sentence) => sentence.replace(/[.,!?¿。、，।]/gu, '').toLowerCase())
  const cues = toCues(breakLines(bare.join(unspaced ? '' : ' '), unspaced ? 12 : 34, unspaced))
  return cues.map((cue) => ({ ...cue, durationMs: cue.durationMs * 2 }))
}

import { type Cue, SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { longVideo } from '@subtext/fakes'
import { createExtractiveSummarizer } from '@subtext/summarize'
import { newSource } from '@subtext/summarize/testing'
import { compareCpu, formatLength, formatMillis, formatRatio, repeated } from './compare-cpu.ts'

const HOURS = [1 / 6, 1, 10]
const ROUNDS = 5
const POINTS = 5
/** Short words, such as articles, say nothing about the subject. */
const MIN_WORD_LENGTH = 5

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter(({ length }) => length >= MIN_WORD_LENGTH)

/**
 * A summarizer written in ten minutes: the lines whose words are the most frequent ones, in order (Luhn, 1958). No
 * sentences, sections or headings, no repetition removed, and the same lines for every mode.
 */
function summarizeByFrequency(cues: Cue[], modes: readonly SummaryMode[]): Map<SummaryMode, string[]> {
  const lines = cues.map(({ text }, index) => ({ index, text, words: wordsOf(text), score: 0 }))
  const counts = new Map<string, number>()
  for (const { words } of lines) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const line of lines) {
    const total = line.words.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0)
    line.score = total / Math.max(1, line.words.length)
  }
  const best = lines.sort((a, b) => b.score - a.score).slice(0, POINTS)
  const text = best.sort((a, b) => a.index - b.index).map((line) => line.text)
  return new Map(modes.map((mode) => [mode, text]))
}

async function measure(hours: number): Promise<string> {
  const video = longVideo({ id: 'sbtx-summary', hours })
  const cues = [...(video.tracks[0]?.cues() ?? [])]
  const source = newSource(cues, { kind: 'auto', title: video.title })
  const summarizer = createExtractiveSummarizer()
  const options = { signal: new AbortController().signal, onSummary: async () => {}, onSpending: async () => {} }
  const times = hours >= 10 ? 1 : hours >= 1 ? 5 : 30
  const cpu = await compareCpu(
    {
      ours: repeated(times, () => summarizer.summarize(source, [...SUMMARY_MODES], options)),
      baseline: repeated(times, () => summarizeByFrequency(cues, SUMMARY_MODES)),
    },
    ROUNDS,
  )
  const millis = [cpu.ours, cpu.baseline].map((cost) => formatMillis(cost.times.median / times).padStart(12))
  return `${formatLength(hours)}${`${cues.length} lines`.padStart(14)}${millis.join('')}${formatRatio(cpu.baseline.ratio.median).padStart(10)}`
}

const HEAD = `CPU per video for extractive summaries in five modes  (baseline: the lines with the most frequent words)
${'length'.padEnd(12)}${'transcript'.padStart(14)}${'ours'.padStart(12)}${'baseline'.padStart(12)}${'ratio'.padStart(10)}`

/** Measures the CPU time of the extractive summarizer, compared with counting words. Returns a table. */
export async function measureSummaries(say: (text: string) => void): Promise<string> {
  const lines: string[] = []
  for (const hours of HOURS) {
    say(`summaries: ${formatLength(hours).trim()}`)
    lines.push(await measure(hours))
  }
  return [HEAD, ...lines].join('\n')
}

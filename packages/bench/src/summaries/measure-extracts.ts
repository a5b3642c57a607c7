import { createExtractiveSummarizer } from '@subtext/summarize'
import { BASELINES, measureSummaries, type Rouge, type SummaryFigures } from '@subtext/summarize/testing'
import { formatLine } from '../table.ts'
import { readSummaryCorpora } from './corpora.ts'

const DOCUMENTS = 12
const HEAD = ['', 'texts', 'points', 'complete', 'one', 'quoted', 'flawed', 'ours', ...BASELINES]
const WIDTHS = [14, 7, 8, 10, 7, 8, 8, 19, 19, 19, 19]

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(0)} %`)

function formatRouge(scores: Rouge[]): string {
  if (scores.length === 0) return '-'
  const mean = (pick: (score: Rouge) => number) =>
    ((100 * scores.reduce((sum, score) => sum + pick(score), 0)) / scores.length).toFixed(1)
  return [mean(({ one }) => one), mean(({ two }) => two), mean(({ longest }) => longest)].join(' / ')
}

const cellsOf = (title: string, figures: SummaryFigures, language: string): string[] => [
  title,
  String(figures.documents),
  String(figures.points),
  percent(figures.complete, figures.points),
  percent(figures.one, figures.points),
  percent(figures.quoted, figures.points),
  language === 'en' ? percent(figures.flawed, figures.points) : '-',
  formatRouge(figures.rouge.ours),
  ...BASELINES.map((name) => formatRouge(figures.rouge[name])),
]

/**
 * Measures the extractive summaries of texts without punctuation: points that are complete sentences, points with flaws, and
 * ROUGE-1/2/L. `args`: the folder with the checkouts, `dev` for the other half of them, and the beginning of a corpus's title.
 */
export async function measureExtracts(args: readonly string[]): Promise<string> {
  const [root, ...others] = args
  if (root === undefined) throw new Error('Name the folder with the checkouts: see packages/bench/README.md.')
  const split = others.includes('dev') ? 'dev' : 'test'
  const beginning = others.filter((word) => word !== 'dev').join(' ')
  const summarizer = createExtractiveSummarizer()
  const rows = [HEAD]
  for (const { title, documents } of readSummaryCorpora(root, split, DOCUMENTS)) {
    if (!title.startsWith(beginning)) continue
    rows.push(cellsOf(title, await measureSummaries(documents, summarizer), documents[0]?.language ?? ''))
  }
  return rows.map((cells) => formatLine(cells, WIDTHS)).join('\n')
}

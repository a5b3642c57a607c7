import { at } from '@subtext/runtime'
import { type Quartiles, quartiles } from '../quartiles.ts'
import { KINDS, type Kind, P95, type People, PROGRAMS, type Program, percentile, type Round } from './round.ts'

const MAX_BUSY_WHEN_QUIET = 0.5

const NAMES: Record<Program, string> = {
  api: 'API',
  renders: 'renders',
  worker: 'worker',
  postgres: 'Postgres',
  redis: 'Redis',
  people: 'the people and the model',
}

const show = ({ median, low, high }: Quartiles, digits: number): string =>
  `${median.toFixed(digits)} (${low.toFixed(digits)}-${high.toFixed(digits)})`

const line = (name: string, cells: string[]): string =>
  name.padEnd(36) + cells.map((cell) => cell.padStart(20)).join('')

/** Describes the rounds of each kind, of which there are equally many. */
export function describeMixedLoad(
  rounds: Record<Kind, Round[]>,
  { chats, pdfs }: Pick<People, 'chats' | 'pdfs'>,
): string {
  const values = (kind: Kind, pick: (round: Round) => number): number[] => rounds[kind].map(pick)
  const p95Line = (name: string, pick: (round: Round) => number[]): string => {
    const p95 = (kind: Kind): number[] => values(kind, (round) => percentile(pick(round), P95))
    const ratio = (kind: Kind): string => {
      const base = p95(kind)
      return show(quartiles(p95('loaded').map((value, index) => value / at(base, index))), 2)
    }
    return line(name, [...KINDS.map((kind) => show(quartiles(p95(kind)), 1)), ratio('quiet'), ratio('control')])
  }
  const medianLine = (name: string, pick: (round: Round) => number, unit = ''): string =>
    line(
      name,
      KINDS.map((kind) => `${quartiles(values(kind, pick)).median.toFixed(0)}${unit}`),
    )
  const sum = (pick: (round: Round) => number): number =>
    values('loaded', pick).reduce((total, each) => total + each, 0)
  const isDisturbed = quartiles(values('quiet', ({ busy }) => busy)).median > MAX_BUSY_WHEN_QUIET
  return [
    `high jobs, p95 in milliseconds, medians and quartiles of ${rounds.quiet.length} rounds of ${rounds.quiet[0]?.seen.length} jobs`,
    line('', ['quiet', `${chats} chats, ${pdfs} PDFs`, 'control', 'loaded / quiet', 'loaded / control']),
    p95Line('accepted until started', ({ waited }) => waited),
    p95Line('sent until the caller sees the end', ({ seen }) => seen),
    p95Line('GET /health/live, all the while', ({ probed }) => probed),
    medianLine('streams open at the same time', ({ open }) => open),
    medianLine('processors busy, normal priority', ({ busy }) => 100 * busy, ' %'),
    medianLine('processors busy, low priority', ({ busyAtLowPriority }) => 100 * busyAtLowPriority, ' %'),
    ...PROGRAMS.map((program) =>
      medianLine(`  ${NAMES[program]}, of one processor`, ({ used }) => 100 * used[program], ' %'),
    ),
    `while loaded, one API process: ${sum(({ counts }) => counts.chats)} answers, ${sum(({ counts }) => counts.pdfs)} PDFs, ${sum(({ counts }) => counts.refusals)} requests refused or interrupted for now`,
    'control: a program that has nothing to do with the service, and uses as much processor time as the load did, at the same',
    'priorities. Jobs wait for the machine then; the service slows them down by what "loaded / control" is above 1. The people and the',
    'model are programs of this benchmark on the same processors.',
    ...(isDisturbed ? ['Other programs kept the processors busy: these figures say nothing about the service.'] : []),
  ].join('\n')
}

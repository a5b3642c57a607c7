import { openTestBed } from '../test-bed.ts'
import { apisTrial, batchesTrial, resultsTrial } from './api-trials.ts'
import { backlogTrial } from './backlog-trial.ts'
import { finishedTrial } from './finished-trial.ts'
import { lanesTrial } from './lanes-trial.ts'
import type { ScaleTrial } from './trial.ts'
import { workersTrial } from './workers-trial.ts'

const TRIALS: ScaleTrial[] = [
  workersTrial,
  apisTrial,
  backlogTrial,
  finishedTrial,
  lanesTrial,
  batchesTrial,
  resultsTrial,
]

/** Measures how the service behaves as it grows. `names` selects trials; none selects all. */
export async function measureScale(say: (text: string) => void, names: string[]): Promise<string> {
  const unknown = names.find((name) => TRIALS.every((trial) => trial.name !== name))
  if (unknown) throw new Error(`There is no trial "${unknown}", only ${TRIALS.map(({ name }) => name).join(', ')}.`)
  const chosen = TRIALS.filter(({ name }) => names.length === 0 || names.includes(name))
  const sections: string[] = []
  for (const trial of chosen) {
    say(`scale: ${trial.name}`)
    // Each has servers of its own, so that none measures what another one has left.
    const testBed = await openTestBed(say)
    try {
      const section = (await trial.run({ testBed, say })).join('\n')
      console.error(section)
      sections.push(section)
    } finally {
      await testBed.close()
    }
  }
  return ['CPU times are those of processes + Postgres + Redis.', ...sections].join('\n\n')
}

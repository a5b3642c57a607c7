import type { Part } from '../part.ts'
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

/** Measures how the service behaves as it grows. Words select trials; without any, all run. */
export const measureScale: Part = async (bench) => {
  const { say, words, undo } = bench
  const unknown = words.find((word) => TRIALS.every((trial) => trial.name !== word))
  if (unknown) throw new Error(`There is no trial "${unknown}", only ${TRIALS.map(({ name }) => name).join(', ')}.`)
  const chosen = TRIALS.filter(({ name }) => words.length === 0 || words.includes(name))
  const sections: string[] = []
  for (const trial of chosen) {
    say(`scale: ${trial.name}`)
    const section = (await trial.run({ testBed: await openTestBed(bench), say })).join('\n')
    console.error(section)
    sections.push(section)
    // Each trial has servers of its own, so that none measures what another one has left.
    await undo.run()
  }
  return ['CPU times are those of processes + Postgres + Redis.', ...sections].join('\n\n')
}

import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { handleCalls } from '../child-process.ts'

/** The nice value of renders. */
const LOW = 10
/** How long it computes at a time, in milliseconds: about as long as for an event of a chat, or as a render. */
const TURN_MS = 1
const LOW_TURN_MS = 200

let timer: NodeJS.Timeout | undefined

/** Uses a processor for the given share of the time, in turns, until `end`. Call it at one priority only. */
async function begin({ share, isLow }: { share: number; isLow: boolean }): Promise<void> {
  if (isLow) {
    setPriority(LOW)
    writeFileSync('/proc/self/autogroup', String(LOW))
  }
  const turnMs = isLow ? LOW_TURN_MS : TURN_MS
  const beganAt = performance.now()
  const before = process.cpuUsage()
  const isBehind = (): boolean => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000 < (performance.now() - beganAt) * share
  }
  const compute = (): void => {
    const until = performance.now() + turnMs
    while (performance.now() < until && isBehind()) {}
    timer = setTimeout(compute, 1)
  }
  compute()
}

async function end(): Promise<void> {
  clearTimeout(timer)
}

handleCalls({ begin, end })

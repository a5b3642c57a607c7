import type { JobStep } from '@subtext/contracts'
import type { JobMetrics } from '../metrics.ts'

/** Measures how long each step takes, until the next step begins. */
export function timeSteps({ stepEnded }: JobMetrics): { enter(step: JobStep): void; end(): void } {
  let current: { step: JobStep; since: number } | undefined
  const end = (): void => {
    if (current) stepEnded({ step: current.step }, (performance.now() - current.since) / 1_000)
    current = undefined
  }
  return {
    enter(step) {
      if (step === current?.step) return
      end()
      current = { step, since: performance.now() }
    },
    end,
  }
}

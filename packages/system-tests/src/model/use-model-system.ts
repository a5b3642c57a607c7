import { type TestSystem, useTestSystem } from '@subtext/testbed'
import { MODEL } from './summary-jobs.ts'

/** Registers hooks that start a system whose summaries the fake of the provider writes, and stop it afterwards. */
export const useModelSystem = (): TestSystem =>
  useTestSystem({
    messagesApi: true,
    traces: true,
    settings: {
      SUMMARY_MODEL: MODEL,
      LOG_LEVEL: 'info',
      SUMMARY_MAX_PROMPT_TOKENS: '20000',
      JOB_RETRY_SCHEDULE: '1s,1s',
      // Longer than any test waits, so that only a test itself ends a call that gets no answer.
      MODEL_TIMEOUT_SECONDS: '600',
      MODEL_SILENCE_SECONDS: '300',
    },
  })

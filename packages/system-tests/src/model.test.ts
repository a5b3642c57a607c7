import { useTestSystem } from '@subtext/server/testing'
import { testFollowing } from './model/following.ts'
import { testLongVideoNotes } from './model/long-video-notes.ts'
import { MODEL, testSummaryFaults } from './model/summary-faults.ts'

const system = useTestSystem({
  messagesApi: true,
  settings: { SUMMARY_MODEL: MODEL, SUMMARY_MAX_PROMPT_TOKENS: '20000', JOB_RETRY_SCHEDULE: '1s,1s' },
})

describe('faults of the model', () => testSummaryFaults(system))
describe('following a job', () => testFollowing(system))
describe('notes on a long video', () => testLongVideoNotes(system))

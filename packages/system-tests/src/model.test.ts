import { SERVER_KINDS, type ServerKind } from '@subtext/fakes'
import { selectModelServers } from '@subtext/runtime/testing'
import { useTestSystem } from '@subtext/testbed'
import { testAdditions } from './model/additions.ts'
import { testAnyServer } from './model/any-server.ts'
import { testDeclinedVideo } from './model/declined-video.ts'
import { testFollowing } from './model/following.ts'
import { testLongVideoNotes } from './model/long-video-notes.ts'
import { testSummaryFaults } from './model/summary-faults.ts'
import { MODEL } from './model/summary-jobs.ts'
import { testTraces } from './model/traces.ts'

const KINDS = Object.keys(SERVER_KINDS) as ServerKind[]

// The systems run one after the other.
describe('the provider', () => {
  const system = useTestSystem({
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

  describe('faults of the model', () => testSummaryFaults(system))
  describe('a video that the model declines to summarize', () => testDeclinedVideo(system))
  describe('traces and logs', () => testTraces(system))
  describe('following a job', () => testFollowing(system))
  describe('additions to a finished job', () => testAdditions(system))
  describe('notes on a long video', () => testLongVideoNotes(system))
})

for (const kind of selectModelServers(KINDS, [])) describe(`a server with: ${kind}`, () => testAnyServer(kind))

import Sequencer from '@jest/test-sequencer'

/**
 * The ends of the paths of test files that wait much longer than they work, the longest first. The other files of
 * `system-tests` wait too, but not for long.
 */
const WAITING = [
  ...['dashboard', 'process-ends', 'plain', 'model-timeouts', 'outages', 'model', 'render-infographic', 'chaos'],
  ...['huge-transcript', 'interrupted-run', 'migrate', 'result-load.db', 'start-command', 'client.db'],
  ...['deliverer.db', 'job-metrics.db', 'many-jobs', 'programs.db', 'refusals.db', 'process-sync.db', 'follow-job'],
  ...['http/idempotency.db', 'egresses', 'chat-faults.db', 'unreadable-requests.db', 'isolation.db', 'emails.db'],
  ...['watch.db', 'unavailable-services.db', 'canaries', 'system-tests/src/lanes', 'postgres', 'infographics.db'],
  ...['pack', 'create-chat', 'shared-slots.db', 'key-revocation.db', 'process-job.db', 'renderer', 'export-pdf.db'],
  ...['outages.db', 'mailer', 'redis', 'run', 'guides', 'migrate.db', 'worker.db'],
]

/** The test files that work longest, the longest first. */
const WORKING = [
  ...['sign-up-modes.db', 'result-stream.db', 'routes.db', 'model/any-server', 'routes-fuzz.db', 'brute-force.db'],
  ...['render-report', 'forgery.db', 'long-transcripts', 'forecast', 'simulate', 'rate-limit.db'],
]

const FIRST = [...WAITING, ...WORKING]

const findPlace = (names, { path }) => names.findIndex((name) => path.endsWith(`/${name}.test.ts`))

/** Tells whether a test file waits for other processes most of the time. */
export const waits = (test) => findPlace(WAITING, test) >= 0 || test.path.includes('/packages/system-tests/')

/** Starts the longest files first, also in a checkout where jest knows no durations and would order the files by size. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = (test) => {
      const place = findPlace(FIRST, test)
      return place < 0 ? FIRST.length : place
    }
    return super.sort(tests).sort((one, other) => rank(one) - rank(other))
  }
}

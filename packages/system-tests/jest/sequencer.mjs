import { basename } from 'node:path'
import Sequencer from '@jest/test-sequencer'

/** The test files that take longest, the longest first. They start first, so that all other files run beside them. */
const FIRST = [
  ...['dashboard', 'process-ends', 'plain', 'model-timeouts', 'outages', 'model', 'render-infographic', 'chaos'],
  ...['huge-transcript', 'interrupted-run', 'result-load.db', 'sign-up-modes.db', 'start-command', 'client.db'],
  ...['result-stream.db', 'deliverer.db', 'job-metrics.db', 'many-jobs', 'routes.db', 'programs.db', 'refusals.db'],
  ...['process-sync.db', 'idempotency.db', 'egresses', 'chat-faults.db', 'any-server', 'unreadable-requests.db'],
  ...['isolation.db', 'routes-fuzz.db', 'emails.db', 'brute-force.db', 'watch.db', 'render-report'],
  ...['unavailable-services.db', 'canaries', 'lanes', 'postgres', 'forgery.db', 'pack', 'shared-slots.db'],
  ...['long-transcripts', 'key-revocation.db', 'create-chat', 'forecast', 'migrate', 'guides', 'renderer', 'simulate'],
  ...['outages.db', 'rate-limit.db'],
]

/** Starts the longest files first, also in a checkout where jest knows no durations and would order the files by size. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = FIRST.indexOf(basename(path, '.test.ts'))
      return place < 0 ? FIRST.length : place
    }
    return super.sort(tests).sort((one, other) => rank(one) - rank(other))
  }
}

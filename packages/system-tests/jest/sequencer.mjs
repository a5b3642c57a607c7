import { basename } from 'node:path'
import Sequencer from '@jest/test-sequencer'

/** The test files that take longest, the longest first. They start first, so that all other files run beside them. */
const FIRST = [
  ...['dashboard', 'process-ends', 'plain', 'model-timeouts', 'model', 'outages', 'chaos', 'sign-up-modes.db'],
  ...['interrupted-run', 'huge-transcript', 'render-infographic', 'result-load.db', 'many-jobs', 'isolation.db'],
  ...['start-command', 'programs.db', 'canaries', 'routes.db', 'brute-force.db', 'forecast', 'simulate'],
  ...['result-stream.db', 'any-server', 'routes-fuzz.db', 'long-transcripts', 'write-infographic', 'render-report'],
  ...['hostile-transcripts', 'extractive-summarizer', 'forgery.db', 'process-job.db', 'docs.db', 'thread-pool'],
  ...['account-routes.db', 'deliverer.db', 'client.db', 'settle.db', 'sums.db', 'alerts', 'pack', 'rate-limit.db'],
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

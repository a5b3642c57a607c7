import { basename } from 'node:path'
import Sequencer from '@jest/test-sequencer'

/** The test files that take longest, the longest first. They start first, so that all other files run beside them. */
const FIRST = [
  ...[
    'process-ends',
    'chaos',
    'plain',
    'outages',
    'model-timeouts',
    'dashboard',
    'huge-transcript',
    'model',
    'many-jobs',
  ],
  ...[
    'result-load.db',
    'isolation.db',
    'render-infographic',
    'interrupted-run',
    'routes-fuzz.db',
    'settle.db',
    'sums.db',
  ],
  ...['start-command', 'killed-apps', 'programs.db', 'result-stream.db', 'routes.db', 'client.db', 'alerts'],
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

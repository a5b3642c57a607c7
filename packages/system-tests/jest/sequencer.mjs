import { basename } from 'node:path'
import Sequencer from '@jest/test-sequencer'

/** Test files that mostly wait. They start first, so that all other files run beside them. */
const FIRST = [
  'chaos',
  'outages',
  'process-ends',
  'model-timeouts',
  'plain',
  'model',
  'start-command',
  'interrupted-run',
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

import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { jest } from '@jest/globals'
import { createContext } from './context.ts'
import { fitWidths, openProgress } from './progress.ts'

/** The longest text after the bar, and the spaces between the columns. */
const LONGEST = ' 100%  rendering infographic'.length

test.each([20, 30, 40, 60, 80, 100, 120, 300])('fits a line into a terminal of %i columns', (columns) => {
  const { label, bar } = fitWidths(columns)
  expect(label).toBeGreaterThanOrEqual(0)
  const width = label + (bar > 0 ? bar + 1 : 0) + LONGEST
  expect(width).toBeLessThanOrEqual(Math.max(columns - 1, LONGEST))
})

/** Opens the bars on a terminal and returns everything that is written to it. */
function openOn(terminal: object, environment: object = {}) {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 }, terminal)
  const settings = { apiKey: undefined, baseUrl: undefined, configFile: '', ...environment }
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr }
  const progress = openProgress(createContext(streams, undefined, settings))
  return { progress, written: () => String(stderr.read() ?? '') }
}

const JOB = { progress_percentage: 40, current_step: 'fetching_captions' } as const

describe('on a terminal', () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  test('draws a fitting line for every running job', () => {
    const { progress, written } = openOn({ columns: 60 })
    progress.update('https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=endless', JOB)
    progress.update('second', { ...JOB, progress_percentage: 70 })
    jest.advanceTimersByTime(1_000)
    const text = stripVTControlCharacters(written())
    expect(text).toMatch(/^….*&list=endless +40% {2}fetching captions/)
    expect(text).toMatch(/\nsecond +70%/)
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(60)
    progress.end('second')
    jest.advanceTimersByTime(1_000)
    const rest = written()
    progress.close()
    expect([rest.includes('endless'), rest.includes('second')]).toEqual([true, false])
    jest.advanceTimersByTime(1_000)
    expect(written()).not.toContain('endless')
  })

  test('changes no setting that a killed program would leave behind', () => {
    const { progress, written } = openOn({})
    progress.update('first', JOB)
    jest.advanceTimersByTime(1_000)
    progress.pause(() => undefined)
    progress.close()
    const text = written()
    expect([text.includes('first'), text.includes('\u001b[?')]).toEqual([true, false])
  })
})

test.each([
  ['a pipe', { isTTY: false }, {}],
  ['a terminal that cannot redraw lines', {}, { isDumb: true }],
])('writes nothing to %s', (_, terminal, environment) => {
  const { progress, written } = openOn(terminal, environment)
  progress.update('first', JOB)
  progress.end('first')
  expect(progress.pause(() => 'result')).toBe('result')
  progress.close()
  expect(written()).toBe('')
})

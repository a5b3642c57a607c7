import { formatTraceparent, parseTraceparent } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test('reads and writes the header of W3C Trace Context', () => {
  const text = `00-${TRACE}-${SPAN}-01`
  expect(parseTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true })
  expect(formatTraceparent({ traceId: TRACE, spanId: SPAN, sampled: true })).toBe(text)
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`)?.sampled).toBe(false)
})

test('accepts what later versions may add', () => {
  expect(parseTraceparent(`01-${TRACE}-${SPAN}-03-more`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true })
})

test.each([
  ['nothing', undefined],
  ['an empty header', ''],
  ['zeros for a trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['zeros for a span', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['the version that is forbidden', `ff-${TRACE}-${SPAN}-01`],
  ['more fields than the version has', `00-${TRACE}-${SPAN}-01-more`],
  ['a text of many megabytes', `00-${TRACE}-${SPAN}-01-${'x'.repeat(4_000_000)}`],
  ['two headers in one', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
])('refuses %s', (_, text) => {
  expect(parseTraceparent(text)).toBeNull()
})

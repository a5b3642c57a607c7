import { readAccept } from './accept.ts'

const BOTH = 'application/json, text/event-stream'

test.each([
  undefined,
  '',
  '*/*',
  BOTH,
  'text/html, */*;q=0.1',
  'application/*, text/*',
  'APPLICATION/JSON;q=0.9,text/event-stream ; charset=utf-8',
])('takes %j for both media types of the protocol', (accept) => {
  expect(readAccept(accept)).toBe(BOTH)
})

test.each(['text/html', 'application/json', 'text/event-stream', '*/*;q=0', 'application/json, text/event-stream;q=0'])(
  'leaves %j as it is',
  (accept) => {
    expect(readAccept(accept)).toBe(accept)
  },
)

import { clientList, DEFAULT_CLIENTS } from './clients.ts'

test('clientList parses clients in order, with and without versions', () => {
  expect(clientList.parse('IOS@20.11.6, ANDROID_REEL')).toEqual([
    { name: 'IOS', version: '20.11.6' },
    { name: 'ANDROID_REEL', version: undefined },
  ])
  expect(clientList.parse(DEFAULT_CLIENTS).map(({ name }) => name)).toEqual([
    'ANDROID',
    'VISIONOS',
    'IOS',
    'ANDROID_REEL',
    'WEB',
  ])
})

test.each(['', 'android', 'TV', 'IOS,TV', 'IOS@', 'IOS@1 2', 'IOS,IOS@1', '__proto__'])(
  'clientList refuses %p',
  (text) => {
    expect(clientList.safeParse(text).success).toBe(false)
  },
)

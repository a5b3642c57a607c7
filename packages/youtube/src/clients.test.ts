import { appOf, clientList, DEFAULT_CLIENTS, lastWorkedOn, selectVersions } from './clients.ts'

test('clientList parses clients in order, with and without versions', () => {
  expect(clientList.parse('IOS@20.11.6, ANDROID_REEL')).toEqual([
    { name: 'IOS', version: '20.11.6' },
    { name: 'ANDROID_REEL', version: undefined },
  ])
  expect(clientList.parse(DEFAULT_CLIENTS).map(({ name }) => name)).toEqual(DEFAULT_CLIENTS.split(','))
})

test.each([
  ['ANDROID@5,ANDROID_REEL', '5'],
  ['ANDROID_REEL,ANDROID@5', '5'],
  ['ANDROID_REEL@5,ANDROID', '5'],
  ['ANDROID@5,ANDROID_REEL@6', '6'],
])(
  'selectVersions gives the clients of an app in %s one version, that of the setting before that of the table',
  (text, version) => {
    expect(selectVersions(clientList.parse(text))).toEqual(new Map([['ANDROID', version]]))
  },
)

test('every version of the table has a day on which it last worked, and no other version has one', () => {
  const clients = clientList.parse(DEFAULT_CLIENTS)
  const versions = selectVersions(clients)
  expect(versions.size).toBeGreaterThan(2)
  for (const { name } of clients) {
    expect(lastWorkedOn(name, versions.get(appOf(name)) ?? null)).toMatch(/^20\d\d-[01]\d-[0-3]\d$/)
    expect(lastWorkedOn(name, '0.0.1')).toBeNull()
  }
})

test.each(['', 'android', 'TV', 'IOS,TV', 'IOS@', 'IOS@1 2', 'IOS,IOS@1', '__proto__'])(
  'clientList refuses %p',
  (text) => {
    expect(clientList.safeParse(text).success).toBe(false)
  },
)

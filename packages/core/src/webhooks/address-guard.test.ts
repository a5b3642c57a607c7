import { createWebhookUrlCheck, findWebhookUrlProblem } from './address-guard.ts'

const GUARDED = { allowPrivate: false, httpsOnly: false }
const OPEN = { allowPrivate: true, httpsOnly: false }
const PRIVATE = 'Must not point to a private or special address.'

const LOOPBACK_SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7F.1',
  '0177.0.0.1',
  '0177.0x0.0.01',
  '127.0.0.1.',
  '127.0.0.01',
  '%31%32%37.0.0.1',
  '\uFF11\uFF12\uFF17.\uFF10.\uFF10.\uFF11',
  '\u2460\u2461\u2466.0.0.1',
  '127\u30020\u30020\u30021',
  '0',
  '0.0.0.0',
  '00.0.0.0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
]

const SPECIAL = [
  '10.0.0.1',
  '10.255.255.255',
  '167772161',
  '0xa000001',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '3232235521',
  '[::ffff:192.168.0.1]',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::1]',
  '[fd00:ec2::254]',
  '100.64.0.1',
  '100.127.255.255',
  '100.100.100.200',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '198.51.100.7',
  '203.0.113.9',
  '198.18.0.1',
  '198.19.255.255',
  '192.88.99.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '0.1.2.3',
  '[fc00::1]',
  '[fdff:ffff::1]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[ff0e::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[4000::1]',
  '[::8.8.8.8]',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
  '[2001:1::1]',
  '[2001:1ff::1]',
  '[2620:4f:8000::1]',
  '[3ffe::1]',
  '168.63.129.16',
  '2822734096',
  '0xa83f8110',
  '[::ffff:168.63.129.16]',
  '[::ffff:a83f:8110]',
  '[64:ff9b::168.63.129.16]',
  '[2002:a83f:8110::1]',
  '[2001:0:a83f:8110::1]',
  '[::168.63.129.16]',
  '199.36.153.4',
  '199.36.153.11',
  '161.26.0.10',
  '161.26.255.255',
  '166.8.0.1',
  '166.11.255.255',
  '[2606:4700::5efe:7f00:1]',
  '[2606:4700::200:5efe:a9fe:a9fe]',
]

const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
  'api.localhost.',
  'intranet',
  'router.',
  'printer.local',
  'metadata.google.internal',
  'METADATA.GOOGLE.INTERNAL.',
  'metadata.goog',
  'metadata.packet.net',
  'METADATA.GOOG.',
  'metadata.tencentyun.com',
  'instance-data.ec2.internal',
  'l\u24DEcalhost',
  'loca\u00ADlhost',
  'localhost..',
  '127.0.0.1..',
  'example..org',
  '.example.org',
  'router.lan',
  'nas.home',
  'nas.home.arpa',
  'git.corp',
  'wiki.intranet',
  'hidden.onion',
  `${'a'.repeat(60)}.${'b.'.repeat(100)}example`,
  `${'a'.repeat(64)}.example.org`,
]

describe('findWebhookUrlProblem', () => {
  test.each(LOOPBACK_SPELLINGS)('refuses the loopback address written as %s', (host) => {
    expect(findWebhookUrlProblem(`http://${host}/hook`, GUARDED)).toBe(PRIVATE)
    expect(findWebhookUrlProblem(`https://${host}:8443/hook`, GUARDED)).toBe(PRIVATE)
  })

  test.each(SPECIAL)('refuses the special address %s', (host) => {
    expect(findWebhookUrlProblem(`http://${host}/hook`, GUARDED)).toBe(PRIVATE)
  })

  test.each(NAMES)('refuses the local name %s', (host) => {
    expect(findWebhookUrlProblem(`https://${host}/hook`, GUARDED)).toBe(PRIVATE)
  })

  test.each([
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://example.org/',
    'example.org/hook',
    '//example.org/hook',
    '',
    'http://',
    'http://[::1',
    'http://127.0.0.1.5.6.7:99999/',
    'http://256.1.1.1/',
  ])('refuses %j, which is not an http URL', (url) => {
    expect(findWebhookUrlProblem(url, OPEN)).toMatch(/^Must be an http/)
  })

  test.each([
    ' https://example.org/hook',
    'https://example.org/hook ',
    'https://example.org/a hook',
    'https://example.org/ho\nok',
    'https://example.org/ho\r\nok',
    'https://exam\tple.org/hook',
    'https://example.org/hook\u0000',
    'https://example.org/\u00a0',
    'https://example.org/?q=a b',
  ])('refuses %j, which a parser would alter', (url) => {
    expect(findWebhookUrlProblem(url, GUARDED)).toMatch(/spaces or line breaks/)
    expect(findWebhookUrlProblem(url, OPEN)).toMatch(/spaces or line breaks/)
  })

  test.each(['https://user:pass@example.org/', 'https://user@example.org/', 'https://:pass@example.org/'])(
    'refuses %s with its credentials, even in development',
    (url) => {
      expect(findWebhookUrlProblem(url, GUARDED)).toMatch(/credentials/)
      expect(findWebhookUrlProblem(url, OPEN)).toMatch(/credentials/)
    },
  )

  test.each([
    'https://example.org/hook?x=1',
    'http://example.org:8080/',
    'https://xn--bcher-kva.example/',
    'https://b\u00FCcher.example/',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://172.15.255.255/',
    'https://172.32.0.1/',
    'https://100.128.0.1/',
    'https://[2606:4700:4700::1111]/',
    'https://[::ffff:8.8.8.8]/',
    'https://168.63.129.15/',
    'https://168.63.129.17/',
    'https://199.36.153.3/',
    'https://199.36.153.12/',
    'https://161.25.255.255/',
    'https://166.12.0.1/',
    'https://tencentyun.com/',
    'https://metadata.goog.example.org/',
    'https://localhost.example.org/',
    'https://internal.example.org/',
    'https://127.0.0.1.example.org/',
    `https://${'a'.repeat(63)}.example.org/`,
  ])('accepts %s', (url) => {
    expect(findWebhookUrlProblem(url, GUARDED)).toBeNull()
  })

  test.each(['http://127.0.0.1:1/', 'http://localhost:1/', 'http://[::1]:1/'])('accepts %s in development', (url) => {
    expect(findWebhookUrlProblem(url, OPEN)).toBeNull()
  })
})

describe('findWebhookUrlProblem of a port', () => {
  test.each([
    21, 22, 23, 25, 53, 110, 143, 445, 587, 993, 1433, 3306, 3389, 5432, 5900, 6000, 6379, 6667, 11211, 27017,
  ])('refuses port %i of another service', (port) => {
    expect(findWebhookUrlProblem(`https://example.org:${port}/`, GUARDED)).toMatch(/port/)
    expect(findWebhookUrlProblem(`http://8.8.8.8:${port}/`, GUARDED)).toMatch(/port/)
  })
  test.each([80, 443, 3000, 5000, 8000, 8080, 8443, 9443, 50_000])('accepts port %i', (port) => {
    expect(findWebhookUrlProblem(`http://example.org:${port}/`, GUARDED)).toBeNull()
  })
})

test('refuses http if https is required, even in development', () => {
  for (const allowPrivate of [true, false]) {
    expect(findWebhookUrlProblem('http://example.org/', { allowPrivate, httpsOnly: true })).toMatch(/https URL/)
    expect(findWebhookUrlProblem('https://example.org/', { allowPrivate, httpsOnly: true })).toBeNull()
  }
})

describe('createWebhookUrlCheck', () => {
  const check = (answer: () => Promise<string[]>, policy = GUARDED) => {
    const resolved: string[] = []
    const checkUrl = createWebhookUrlCheck(policy, (name) => {
      resolved.push(name)
      return answer()
    })
    return { checkUrl, resolved }
  }
  test.each([
    ['an address of this machine', ['127.0.0.1']],
    ['an IPv6 address of this machine', ['::1']],
    ['an address of the local network', ['fd00::1']],
    ['a metadata address among public ones', ['8.8.8.8', '169.254.169.254']],
    ['an IPv4-mapped private address', ['8.8.8.8', '::ffff:10.0.0.1']],
    ['no address at all', []],
  ])('refuses a name that resolves to %s', async (_, addresses) => {
    expect(await check(async () => addresses).checkUrl('https://hook.example.org/')).toBe(PRIVATE)
  })

  test('accepts a name with public addresses, and one that cannot be resolved now or not in time', async () => {
    expect(await check(async () => ['8.8.8.8', '2606:4700::1']).checkUrl('https://hook.example.org/')).toBeNull()
    const unknown = check(() => Promise.reject(new Error('ENOTFOUND')))
    expect(await unknown.checkUrl('https://hook.example.org/')).toBeNull()
    expect(unknown.resolved).toEqual(['hook.example.org'])
    expect(await check(() => new Promise(() => {})).checkUrl('https://hook.example.org/')).toBeNull()
  })

  test('does not resolve names if the text decides, or if every address is allowed', async () => {
    const { checkUrl, resolved } = check(async () => [])
    expect(await checkUrl('http://127.1/')).toBe(PRIVATE)
    expect(await checkUrl('http://localhost/')).toBe(PRIVATE)
    expect(await checkUrl('http://8.8.8.8/')).toBeNull()
    expect(await checkUrl('ftp://example.org/')).toMatch(/http/)
    const open = check(async () => [], OPEN)
    expect(await open.checkUrl('http://hook.example.org/')).toBeNull()
    expect([...resolved, ...open.resolved]).toEqual([])
  })
})

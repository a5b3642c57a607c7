import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createWebhookUrlCheck } from '@subtext/core/webhooks'
import { createSender, type Sender } from './send.ts'

const GUARDED = { allowPrivate: false, httpsOnly: false, attemptTimeoutMs: 1_000 }
const PUBLIC = '93.184.215.14'
const REBINDINGS = 1_000
/** Addresses of this machine. Services may listen on them, and no webhook may reach those. */
const OWN = Object.values(networkInterfaces())
  .flatMap((found) => found ?? [])
  .map(({ address, family, scopeid }) => ({ address, isV4: family === 'IPv4', zone: scopeid }))
const OWN_V4 = OWN.filter(({ isV4 }) => isV4).map(({ address }) => address)
const OWN_V6 = OWN.filter(({ isV4, zone }) => !isV4 && !zone).map(({ address }) => address)

let canary: Server
let port: number
let reached: string[]
let sender: Sender

beforeAll(async () => {
  canary = createServer((incoming, response) => {
    reached.push(`${incoming.socket.localAddress} ${incoming.headers.host}`)
    response.end()
  })
  // Listens on every address of the machine, in both families if it has IPv6.
  canary.listen(0, OWN_V6.length > 0 ? '::' : '0.0.0.0')
  await once(canary, 'listening')
  port = (canary.address() as AddressInfo).port
  sender = createSender(GUARDED)
})
beforeEach(() => {
  reached = []
})
afterAll(async () => {
  await sender.close()
  canary.closeAllConnections()
  canary.close()
})

/** Returns different notations of an IPv4 address, and addresses that contain it. */
function spellings(address: string): string[] {
  const parts = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = parts
  const number = Buffer.from(parts).readUInt32BE()
  const hex = (value: number): string => value.toString(16)
  const high = hex((a << 8) | b)
  const low = hex((c << 8) | d)
  const inverse = `${hex(0xffff ^ ((a << 8) | b))}:${hex(0xffff ^ ((c << 8) | d))}`
  const digits = (text: string, zero: number): string =>
    [...text].map((sign) => (sign === '.' ? sign : String.fromCodePoint(zero + Number(sign)))).join('')
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex(number)}`,
    `0X${hex(number).toUpperCase()}`,
    `0${number.toString(8)}`,
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    parts.map((part) => `000${part.toString(8)}`).join('.'),
    parts.map((part) => `0x${hex(part)}`).join('.'),
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    digits(address, 0xff10),
    digits(address, 0x1d7ce),
    address.replaceAll('.', '\u3002'),
    address.replaceAll('.', '\uff0e'),
    address.replaceAll('.', '\uff61'),
    address.replaceAll('.', '%2e'),
    [...address].map((sign) => `%${hex(sign.charCodeAt(0))}`).join(''),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${address}]`,
    `[0000:0000:0000:0000:0000:FFFF:${high}:${low}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
    `[2001:0:4136:e378:8000:63bf:${inverse}]`,
    `[2606:4700::5efe:${high}:${low}]`,
    `[2606:4700::200:5efe:${high}:${low}]`,
    `user:pass@${address}`,
    `example.org@${address}`,
    `${address}:${80}@${address}`,
    `${address}..`,
  ]
}
const VECTORS = [
  ...new Set([
    ...['127.0.0.1', ...OWN_V4].flatMap(spellings),
    ...['::1', '0:0:0:0:0:0:0:1', '0000::0001', ...OWN_V6].map((address) => `[${address}]`),
    ...['0', '0.0.0.0', '127.1', '127.0.1', '127.127.127.127', '[::]', '[::%31]', '[::1%25lo]', '[fe80::1]'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.localhost.', 'loca\u00ADlhost', '\u24DBocalhost'],
    ...['localhost.localdomain', 'localhost..', 'ip6-localhost', 'host.docker.internal', 'kubernetes.default.svc'],
  ]),
]

test('the canary can be reached on every address, so that its silence proves something', async () => {
  for (const host of ['127.0.0.1', ...OWN_V4, ...OWN_V6]) {
    const call = request({ host, port, method: 'POST' }).end()
    await once(call, 'response')
  }
  expect(reached.length).toBeGreaterThan(0)
  const open = createSender({ ...GUARDED, allowPrivate: true })
  expect(await open.send(`http://2130706433:${port}/`, {}, Buffer.from('{}'))).toMatchObject({ statusCode: 200 })
  await open.close()
})

test('more than sixty hosts are tried', () => {
  expect(VECTORS.length).toBeGreaterThan(60)
})

test.each(VECTORS)('no request reaches this machine as %s', async (host) => {
  for (const scheme of ['http', 'https']) {
    const outcome = await sender.send(`${scheme}://${host}:${port}/`, {}, Buffer.from('{}'))
    expect(outcome.statusCode).toBeNull()
  }
  expect(reached).toEqual([])
})

test('a thousand names that resolve to this machine only after the submission are refused', async () => {
  const replies = [
    ['127.0.0.1'],
    ['::1'],
    [PUBLIC, '127.0.0.1'],
    ['127.0.0.1', PUBLIC],
    ['::ffff:127.0.0.1'],
    ...OWN_V4,
  ]
  const asked = new Map<string, number>()
  const resolve = async (name: string): Promise<string[]> => {
    const times = (asked.get(name) ?? 0) + 1
    asked.set(name, times)
    const round = Number(/\d+/.exec(name)?.[0])
    return times === 1 ? [PUBLIC] : [replies[round % replies.length] ?? []].flat()
  }
  const fetchFault = createWebhookUrlCheck(GUARDED, resolve)
  const rebound = createSender({ ...GUARDED, resolve })
  for (let round = 0; round < REBINDINGS; round++) {
    const url = `http://hook${round}.example.org:${port}/`
    expect(await fetchFault(url)).toBeNull()
    expect(await rebound.send(url, {}, Buffer.from('{}'))).toMatchObject({ error: 'address_refused' })
  }
  await rebound.close()
  expect(reached).toEqual([])
  expect([...asked.values()].every((times) => times === 2)).toBe(true)
})

test('a redirect to this machine is a failed attempt, and is not followed', async () => {
  const open = createSender({ ...GUARDED, allowPrivate: true })
  for (const status of [301, 302, 303, 307, 308]) {
    const redirecting = createServer((_, response) =>
      response.writeHead(status, { Location: `http://127.0.0.1:${port}/` }).end(),
    )
    redirecting.listen(0, '127.0.0.1')
    await once(redirecting, 'listening')
    const { port: first } = redirecting.address() as AddressInfo
    const outcome = await open.send(`http://127.0.0.1:${first}/`, {}, Buffer.from('{}'))
    expect(outcome).toMatchObject({ statusCode: status })
    redirecting.closeAllConnections()
    redirecting.close()
  }
  await open.close()
  expect(reached).toEqual([])
})

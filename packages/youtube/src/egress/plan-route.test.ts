import { at } from '@subtext/runtime'
import { createClientHealth } from './client-health.ts'
import { createEgress } from './egress.ts'
import { createEgressHealth } from './egress-health.ts'
import { createRoutePlanner } from './plan-route.ts'

const openEgress = (options: { name?: string; isProxy?: boolean }) =>
  createEgress({
    name: 'direct',
    isProxy: false,
    health: createEgressHealth({ restMs: 60_000 }),
    clients: createClientHealth(),
    open: () => Promise.reject(new Error('not needed')),
    ...options,
  })

test('a route contains the direct egress and up to three proxies in turn', () => {
  const egresses = Array.from({ length: 5 }, (_, index) => openEgress({ isProxy: index > 0 }))
  const plan = createRoutePlanner(at(egresses, 0), egresses.slice(1))
  const named = (useProxy: boolean | null) => plan(useProxy).map((egress) => 'dabce'.charAt(egresses.indexOf(egress)))
  expect(named(null).join('')).toBe('dabc')
  expect(named(true).join('')).toBe('bce')
  expect(named(false).join('')).toBe('dd')
})

test('a route skips resting proxies while others are healthy', () => {
  const proxies = Array.from({ length: 4 }, (_, index) => openEgress({ name: `proxy_${index + 1}`, isProxy: true }))
  const plan = createRoutePlanner(openEgress({}), proxies)
  const names = () => plan(true).map(({ name }) => name.at(-1))
  proxies[1]?.health.blocked('a', 60)
  expect(names()).toEqual(['1', '3', '4'])
  expect(names()).toEqual(['3', '4', '1'])
  for (const proxy of proxies) proxy.health.blocked('a', 60)
  expect(names()).toEqual(['3', '4', '1'])
})

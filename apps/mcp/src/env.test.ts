import { loadEnv } from '@subtext/runtime'
import { McpEnv } from './env.ts'

test.each([
  'https://ada:secret@subtext.example.org',
  'https://subtext.example.org/api/v1?key=x',
  'https://subtext.example.org/?',
  'https://subtext.example.org#top',
])('refuses a SERVICE_API_BASE with which every call would fail: %s', (base) => {
  expect(() => loadEnv(McpEnv, { SERVICE_API_BASE: base })).toThrow('SERVICE_API_BASE: Must not contain')
})

test('takes a SERVICE_API_BASE whose path contains an @', () => {
  const { SERVICE_API_BASE } = loadEnv(McpEnv, { SERVICE_API_BASE: 'https://example.org/@subtext/api/v1/' })
  expect(SERVICE_API_BASE).toBe('https://example.org/@subtext')
})

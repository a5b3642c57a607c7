import { loadEnv } from '@subtext/runtime'
import { McpEnv } from './env.ts'

test.each([
  'https://ada:secret@subtext.example.org',
  'https:/ada:secret@subtext.example.org',
  'https://subtext.example.org/api/v1?key=x',
  'https://subtext.example.org/?',
  'https://subtext.example.org#top',
])('refuses a SERVICE_API_BASE with which every call would fail: %s', (base) => {
  expect(() => loadEnv(McpEnv, { SERVICE_API_BASE: base })).toThrow('SERVICE_API_BASE: Must not contain')
})

test.each([
  ['https://example.org/@subtext/api/v1/', 'https://example.org/@subtext'],
  ['https://example.org/http://@subtext', 'https://example.org/http://@subtext'],
])('takes a SERVICE_API_BASE whose path contains an @: %s', (base, url) => {
  expect(loadEnv(McpEnv, { SERVICE_API_BASE: base }).SERVICE_API_BASE).toBe(url)
})

test('reports a SERVICE_API_BASE that is not a URL once', () => {
  const message = expect.not.stringContaining('Must not contain')
  expect(() => loadEnv(McpEnv, { SERVICE_API_BASE: 'example.org?x' })).toThrow(expect.objectContaining({ message }))
})

test.each([
  ['https://subtext.example.org//mcp', 'https://subtext.example.org/mcp'],
  ['https://subtext.example.org/mcp/', 'https://subtext.example.org/mcp'],
  ['http://127.0.0.1:3001/mcp', 'http://127.0.0.1:3001/mcp'],
  ['https://mcp.example.org', 'https://mcp.example.org'],
])('the address of the MCP server has single slashes: %s', (url, expected) => {
  expect(loadEnv(McpEnv, { MCP_PUBLIC_URL: url }).MCP_PUBLIC_URL).toBe(expected)
})

test('the public address has no slash at its end', () => {
  const env = loadEnv(McpEnv, { PUBLIC_BASE_URL: 'https://subtext.example.org/' })
  expect(env.PUBLIC_BASE_URL).toBe('https://subtext.example.org')
})

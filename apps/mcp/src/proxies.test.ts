import { readFileSync } from 'node:fs'
import { MCP_PATH, METADATA_PATH } from './app.ts'
import { CARD_PATHS } from './server-card.ts'

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

/** Returns whether a pattern of the proxy, which may end in `*`, matches a path. */
const matchesCaddy = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern

const PATHS = [MCP_PATH, METADATA_PATH, `${METADATA_PATH}${MCP_PATH}`, ...CARD_PATHS]

test.each(PATHS)('the proxy of the compose file sends %s to the MCP server', (path) => {
  const patterns = /@mcp path (.+)/.exec(read('docker/Caddyfile'))?.[1]?.split(' ') ?? []
  expect(patterns.some((pattern) => matchesCaddy(pattern, path))).toBe(true)
})

test.each(PATHS)('the ingress sends %s to the MCP server', (path) => {
  const rules = read('k8s/components/ingress/ingress.yaml').matchAll(
    /path: (\S+)\n +pathType: Prefix\n +backend: \{ service: \{ name: mcp,/g,
  )
  expect([...rules].some(([, prefix]) => path === prefix || path.startsWith(`${prefix}/`))).toBe(true)
})

import { API_PREFIX, ROUTES } from '@subtext/contracts'
import { findNearestPath, listKnownPaths } from './nearest-path.ts'

const KNOWN = listKnownPaths(ROUTES)

test.each([
  ['/api/v1/videos/proccess', '/api/v1/videos/process'],
  ['/api/v1/video/process', '/api/v1/videos/process'],
  ['/videos/process', '/api/v1/videos/process'],
  ['/v1/videos/process', '/api/v1/videos/process'],
  ['/api/videos/process', '/api/v1/videos/process'],
  ['/api/v2/videos/process', '/api/v1/videos/process'],
  ['/api/v1/videos/result', '/api/v1/videos/result/{job_id}'],
  ['/api/v1/videos/results/01a203bc-48bb-7670-b133-efe9b9ec95db', '/api/v1/videos/result/{job_id}'],
  ['/api/v1/webhooks/secrets', '/api/v1/webhooks/secret'],
  ['/api/v1/videos/export/01a203bc-48bb-7670-b133-efe9b9ec95db/pfd', '/api/v1/videos/export/{job_id}/pdf'],
  ['/api/v1//videos/process', '/api/v1/videos/process'],
  ['/openapi.json', '/api/v1/openapi.json'],
])('suggests the path that %s probably means', (sent, meant) => {
  expect(findNearestPath(sent, KNOWN)).toBe(meant)
})

test.each([
  '/',
  '/api/v3/zebra',
  '/wp-login.php',
  '/api/v1/x/y',
  `/${'a/'.repeat(5_000)}`,
  `/api/v1/${'x'.repeat(9_000)}`,
])('suggests none for a path that resembles none (%#)', (path) => {
  expect(findNearestPath(path, KNOWN)).toBeUndefined()
})

test('suggests each path of the API for itself', () => {
  // A path with and without a slash at its end is the same.
  const bare = (path = '') => path.replace(/\/$/, '')
  for (const { path } of ROUTES.filter(({ besideNames }) => !besideNames))
    expect(bare(findNearestPath(`${API_PREFIX}${path}`, KNOWN))).toBe(bare(`${API_PREFIX}${path}`))
})

test('suggests no path that is not served', () => {
  const known = listKnownPaths(ROUTES.filter(({ access }) => access !== 'session'))
  expect(findNearestPath('/api/v1/account', known)).toBeUndefined()
  expect(findNearestPath('/api/v1/videos/proccess', known)).toBe('/api/v1/videos/process')
})

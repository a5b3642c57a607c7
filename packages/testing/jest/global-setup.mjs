import { register } from 'tsx/esm/api'

export default async function start() {
  const unregister = register()
  const { startTestServers } = await import('../src/test-servers.ts')
  globalThis.stopTestServers = await startTestServers()
  await unregister()
}

import { register } from 'tsx/esm/api'

export default async function start() {
  register()
  const { startTestServers } = await import('@subtext/db/testing')
  globalThis.stopTestServers = await startTestServers()
}

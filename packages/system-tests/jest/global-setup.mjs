import './typescript.mjs'

export default async function start() {
  const { startTestServers } = await import('@subtext/db/testing')
  globalThis.stopTestServers = await startTestServers()
}

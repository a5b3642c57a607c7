export { anyCharacter, anyWebUrl } from './arbitraries.ts'
export { fuzzRuns, selectModelServers } from './env.ts'
export { measureGrowth } from './growth.ts'
export { startTunnelProxy, type TunnelProxy } from './tunnel-proxy.ts'

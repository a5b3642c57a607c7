import type { Server, Socket } from 'node:net'
import { clientNetwork } from './client-network.ts'

/** Why a connection was refused: its address has too many, or all clients together have. */
export type ConnectionRefusal = 'address' | 'total'

export interface ConnectionLimits {
  /** Connections of all clients together. */
  total: number
  /** Connections of one IPv4 address or one /64 network of IPv6 addresses; 0 for no limit. */
  perAddress: number
  onRefused?: (reason: ConnectionRefusal) => void
}

/** Closes every connection to the server beyond the limits as soon as it opens, before anything is read from it. */
export function limitConnections(server: Server, { total, perAddress, onRefused }: ConnectionLimits): void {
  server.maxConnections = total
  server.on('drop', () => onRefused?.('total'))
  if (perAddress === 0) return
  const open = new Map<string, number>()
  server.prependListener('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress ?? '')
    const others = open.get(network) ?? 0
    if (others >= perAddress) {
      onRefused?.('address')
      socket.destroy()
      return
    }
    open.set(network, others + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
  })
}

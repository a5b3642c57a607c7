import { connect } from 'node:net'
import { LOOPBACK } from './free-port.ts'

const PROBE_TIMEOUT_MS = 1000

/**
 * Whether the server on the port accepts the password and answers a PING. False while it loads its data, and for another
 * program that took the port first.
 */
export function isRedisReady(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, LOOPBACK)
    const finish = (ready: boolean): void => {
      socket.destroy()
      resolve(ready)
    }
    socket.setTimeout(PROBE_TIMEOUT_MS, () => finish(false))
    socket.once('error', () => finish(false))
    socket.once('close', () => finish(false))
    socket.once('connect', () => socket.write(request('AUTH', password) + request('PING')))
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (answer.split('\r\n').length > 2) finish(answer === '+OK\r\n+PONG\r\n')
    })
  })
}

/** Returns a request in RESP, the Redis protocol: an array of bulk strings. */
function request(...words: string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
}

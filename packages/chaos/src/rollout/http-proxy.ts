import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findSteadyPort, startTool } from '@subtext/embedded/testing'

/** HAProxy in front of the APIs, as in the guide for operators. */
export interface HttpProxy {
  readonly origin: string
  /** Takes an API out of service before it stops: it gets no new requests. */
  drain(name: string): Promise<void>
  ready(name: string): Promise<void>
  close(): Promise<void>
}

export async function startHttpProxy(apis: { name: string; port: string }[]): Promise<HttpProxy> {
  const port = await findSteadyPort()
  let socket = ''
  const tool = await startTool('haproxy', async (directory) => {
    const file = join(directory, 'config')
    socket = join(directory, 'admin.sock')
    await writeFile(file, buildConfig(port, socket, apis))
    return ['-db', '-f', file]
  })
  const command = async (line: string): Promise<void> => {
    const connection = connect(socket)
    await once(connection, 'connect')
    connection.end(`${line}\n`)
    const reply = (await text(connection)).trim()
    if (reply) throw new Error(`haproxy refused "${line}": ${reply}`)
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    drain: (name) => command(`set server api/${name} state drain`),
    ready: (name) => command(`set server api/${name} state ready`),
    close: tool.stop,
  }
}

/** Only a connection that was never made is retried with another API: a request that was sent may have been accepted. */
const buildConfig = (port: number, socket: string, apis: { name: string; port: string }[]): string => `
global
  stats socket ${socket} mode 600 level admin

defaults
  mode http
  timeout connect 2s
  timeout client 310s
  timeout server 310s
  timeout check 5s
  retries 3
  option redispatch 1
  retry-on conn-failure

frontend http
  bind 127.0.0.1:${port}
  default_backend api

backend api
  balance roundrobin
  option httpchk GET /health/ready
  default-server check inter 1s fall 3 rise 1
${apis.map((api) => `  server ${api.name} 127.0.0.1:${api.port}`).join('\n')}
`

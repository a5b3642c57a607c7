import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { data, useTestService } from '@subtext/sdk/testing'
import { runCli } from './testing/run-cli.ts'

const serve = useTestService()

test('the command line reaches the service through the proxy of its environment', async () => {
  const service = await serve(data({ jobs: [], pagination: { next_cursor: null } }))
  const tunnels: string[] = []
  // Every name leads to the service.
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    tunnels.push(url)
    const tunnel = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      tunnel.pipe(socket).pipe(tunnel)
    })
    for (const each of [socket, tunnel]) each.on('error', () => undefined)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const HTTP_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  try {
    const options = { apiKey: 'sk_test', baseUrl: 'http://subtext.invalid', proxies: { HTTP_PROXY } }
    expect(await runCli(['list'], options)).toMatchObject({ code: 0, stderr: '' })
    expect([tunnels, service.requests.length]).toEqual([['subtext.invalid:80'], 1])
  } finally {
    proxy.close()
  }
})

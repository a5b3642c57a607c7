import { startTunnelProxy } from '@subtext/runtime/testing'
import { data, useTestService } from '@subtext/sdk/testing'
import { runCli } from './testing/run-cli.ts'

const serve = useTestService()

test('the command line reaches the service through the proxy of its environment', async () => {
  const service = await serve(data({ jobs: [], pagination: { next_cursor: null } }))
  const proxy = await startTunnelProxy(Number(new URL(service.url).port))
  try {
    const options = { apiKey: 'sk_test', baseUrl: 'http://subtext.invalid', proxies: { HTTP_PROXY: proxy.url } }
    expect(await runCli(['list'], options)).toMatchObject({ code: 0, stderr: '' })
    expect([proxy.tunnels, service.requests.length]).toEqual([['subtext.invalid:80'], 1])
  } finally {
    proxy.close()
  }
})

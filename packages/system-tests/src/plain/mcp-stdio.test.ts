import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { inheritedEnv } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { startTunnelProxy } from '@subtext/runtime/testing'
import { useClient, watchUrl } from '@subtext/testbed'
import { STDIO_SERVER } from '../start-mcp.ts'
import { usePlainSystem } from './use-plain-system.ts'

const INFO = { name: 'test', version: '1.0.0' }
const ASKING = { capabilities: { elicitation: {} } }

interface Asking {
  callTool(request: { name: string; arguments: object }): Promise<{ isError?: boolean; content: { text: string }[] }>
  close(): Promise<void>
}

const system = usePlainSystem()
const client = useClient(system)
const launch = (more: object = {}) => {
  // The names of the SDK may be set for another service.
  const elsewhere = { SUBTEXT_API_KEY: 'sk_of_another_service', SUBTEXT_API_BASE: 'http://127.0.0.1:9' }
  const settings = { ...elsewhere, SERVICE_API_KEY: client.key, SERVICE_API_BASE: system.baseUrl, ...more }
  const env = { ...inheritedEnv(), ...settings } as Record<string, string>
  return { ...STDIO_SERVER, env }
}
const connectModern = async (mode: 'auto' | 'legacy', answer: () => object): Promise<Asking> => {
  const mcp = new Client(INFO, { ...ASKING, versionNegotiation: { mode } })
  mcp.setRequestHandler('elicitation/create', answer as never)
  await mcp.connect(new StdioClientTransport(launch()))
  return mcp as unknown as Asking
}
const connectOld = async (answer: () => object): Promise<Asking> => {
  const mcp = new OldClient(INFO, ASKING)
  mcp.setRequestHandler(ElicitRequestSchema, answer as never)
  await mcp.connect(new OldTransport(launch()))
  return mcp as unknown as Asking
}

test.each([
  ['the protocol of 2026', (answer: () => object) => connectModern('auto', answer)],
  ['the protocol with sessions', (answer: () => object) => connectModern('legacy', answer)],
  ['the older library', connectOld],
])('the MCP server asks the user over stdio what to process, with a client of %s', async (_, connect) => {
  const answers = [
    { action: 'accept', content: { what_to_process: 'playlist' } },
    { action: 'cancel' },
    { action: 'accept', content: { what_to_process: 'video' } },
  ]
  let asked = 0
  const mcp = await connect(() => answers[asked++] ?? {})
  const video_url = `${watchUrl(system.addCopy(SAMPLE_TALKS.english).id)}&list=PLtalks`
  const ask = () => mcp.callTool({ name: 'process_platform_video', arguments: { video_url } })
  const codeOf = async (): Promise<string> => JSON.parse((await ask()).content[0]?.text ?? '').code
  expect([await codeOf(), await codeOf()]).toEqual(['PLAYLIST_NOT_SUPPORTED', 'NOT_CHOSEN'])
  expect(await ask()).toMatchObject({ structuredContent: { job_id: expect.any(String), status: 'queued' } })
  expect(asked).toBe(answers.length)
  await mcp.close()
})

test('the MCP server over stdio reaches the service through the proxy of its environment', async () => {
  const proxy = await startTunnelProxy(Number(new URL(system.baseUrl).port))
  const mcp = new Client(INFO)
  try {
    const through = { SERVICE_API_BASE: 'http://subtext.invalid', HTTP_PROXY: proxy.url, NO_PROXY: 'other.invalid' }
    await mcp.connect(new StdioClientTransport(launch(through)))
    const { isError } = await mcp.callTool({ name: 'search_library', arguments: { query: 'ocean' } })
    expect([isError ?? false, proxy.tunnels.at(0)]).toEqual([false, 'subtext.invalid:80'])
  } finally {
    await mcp.close()
    proxy.close()
  }
})

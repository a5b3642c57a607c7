import { readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { inheritedEnv } from '@subtext/embedded/testing'
import { at } from '@subtext/runtime'
import { z } from 'zod'
import { STDIO_SERVER, useMcp } from '../start-mcp.ts'
import { usePlainSystem } from './use-plain-system.ts'

const ROOT = new URL('../../../../', import.meta.url)

/** Returns the blocks of code of a guide in this language. */
function readBlocks(guide: string, language: string): string[] {
  const text = readFileSync(new URL(`docs/guides/${guide}.md`, ROOT), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code)
}

const headers = z.strictObject({ Authorization: z.string() })
const url = z.literal('https://subtext.example.org/mcp')
const http = z.strictObject({ type: z.literal('http'), url, headers })

/** The files of the clients as they document them, with nothing that a client would ignore. */
const FORMATS = {
  'mcp-claude-code': z.strictObject({ mcpServers: z.strictObject({ subtext: http }) }),
  'mcp-cursor': z.strictObject({ mcpServers: z.strictObject({ subtext: z.strictObject({ url, headers }) }) }),
  // https://code.visualstudio.com/docs/agents/reference/mcp-configuration
  'mcp-vs-code': z.strictObject({
    inputs: z.array(
      z.strictObject({
        type: z.literal('promptString'),
        id: z.string(),
        description: z.string(),
        password: z.literal(true),
      }),
    ),
    servers: z.strictObject({ subtext: http }),
  }),
}
const Desktop = z.strictObject({
  mcpServers: z.strictObject({
    subtext: z.strictObject({
      command: z.literal('npx'),
      args: z.tuple([z.literal('-y'), z.literal('@subtext/mcp')]),
      env: z.strictObject({ SERVICE_API_KEY: z.literal('sk_...'), SERVICE_API_BASE: z.url() }),
    }),
  }),
})

const variable = (name: string): string => `\${${name}}`

/** What each client replaces by the key. */
const KEY_MARKS: Record<keyof typeof FORMATS, string> = {
  'mcp-claude-code': variable('SUBTEXT_API_KEY'),
  'mcp-cursor': variable('env:SUBTEXT_API_KEY'),
  'mcp-vs-code': variable('input:subtext-key'),
}

interface HttpServer {
  type?: string
  url: string
  headers: Record<string, string>
}

interface AgentQuery {
  prompt: string
  options: { mcpServers: { subtext: HttpServer }; allowedTools: string[] }
}

/** Runs a program for the Agent SDK, and returns what it asks the SDK to do. */
async function runAgentProgram(program: string): Promise<AgentQuery> {
  const line = "import { query } from '@anthropic-ai/claude-agent-sdk'\n"
  expect(program).toContain(line)
  const asked: AgentQuery[] = []
  const query = (request: AgentQuery): object[] => {
    asked.push(request)
    return []
  }
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor
  await AsyncFunction('query', 'process', program.replace(line, ''))(query, { env: { SUBTEXT_API_KEY: 'sk_...' } })
  expect(asked).toHaveLength(1)
  return at(asked, 0)
}

const system = usePlainSystem()
const access = useMcp(system)
const expectTools = async (transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<void> => {
  const mcp = new Client({ name: 'test', version: '1.0.0' })
  await mcp.connect(transport)
  expect((await mcp.listTools()).tools.map(({ name }) => name)).toContain('summarize_platform_video')
  await mcp.close()
}
const connect = (server: HttpServer, keyMark: string): Promise<void> => {
  expect(server.headers).toEqual({ Authorization: `Bearer ${keyMark}` })
  const requestInit = { headers: { Authorization: `Bearer ${access().key}` } }
  return expectTools(
    new StreamableHTTPClientTransport(new URL(new URL(server.url).pathname, access().url), { requestInit }),
  )
}

test.each(Object.keys(FORMATS) as (keyof typeof FORMATS)[])(
  'an MCP client connects with the file of the guide %s',
  async (guide) => {
    const blocks = readBlocks(guide, 'json')
    expect(blocks).toHaveLength(1)
    const file = FORMATS[guide].parse(JSON.parse(blocks[0] ?? ''))
    if ('inputs' in file) expect(KEY_MARKS[guide]).toBe(variable(`input:${file.inputs[0]?.id}`))
    await connect(('servers' in file ? file.servers : file.mcpServers).subtext, KEY_MARKS[guide])
  },
)

test('an MCP client connects over stdio with the file of the guide mcp-claude-desktop', async () => {
  const [block = '', ...others] = readBlocks('mcp-claude-desktop', 'json')
  expect(others).toEqual([])
  const { env } = Desktop.parse(JSON.parse(block)).mcpServers.subtext
  const settings = { ...env, SERVICE_API_KEY: access().key, SERVICE_API_BASE: system.baseUrl }
  await expectTools(
    new StdioClientTransport({ ...STDIO_SERVER, env: { ...inheritedEnv(), ...settings } as Record<string, string> }),
  )
})

test('an MCP client connects with the command of the guide mcp-claude-code', async () => {
  const [command = ''] = readBlocks('mcp-claude-code', 'sh')
  // The header comes last: everything after it would count as another header.
  const [, endpoint = '', name = '', value = ''] =
    /^claude mcp add --transport http subtext (\S+) --header "(\w+): ([^"]+)"\n$/.exec(command) ?? []
  await connect({ url: endpoint, headers: { [name]: value } }, 'sk_...')
})

test('an MCP client connects with the options of the guide mcp-agent-sdk', async () => {
  const [program = ''] = readBlocks('mcp-agent-sdk', 'ts')
  const asked = await runAgentProgram(program)
  const { mcpServers, allowedTools } = asked.options
  expect([asked.prompt.length > 0, allowedTools, mcpServers.subtext.type]).toEqual([true, ['mcp__subtext__*'], 'http'])
  await connect(mcpServers.subtext, 'sk_...')
})

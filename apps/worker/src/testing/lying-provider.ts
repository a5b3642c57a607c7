import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startMessagesApi } from '@subtext/fakes'

/** What a provider does with a call: `more` and `none` are about the tokens that it says it has written. */
export type ProviderDeed = 'honest' | 'more' | 'none' | 'broken' | 'failed'

export interface LyingProvider {
  baseUrl: string
  /** Decides what becomes of a call, given its number from 1. */
  decide: (call: number) => ProviderDeed | Promise<ProviderDeed>
  /** What all calls that were answered have cost by honest counts, at one price for each token. */
  countTokens(): { input: number; output: number }
  calls(): number
  close(): Promise<void>
}

const COUNTS = /"(\w+_tokens)":(\d+)/g
const LIES: Record<'honest' | 'more' | 'none', (text: string) => string> = {
  honest: (text) => text,
  more: (text) => text.replaceAll(COUNTS, (_, name: string, count: string) => `"${name}":${Number(count) * 100}`),
  none: (text) => text.replaceAll(COUNTS, '"$1":0'),
}

/** Starts a provider in front of the fake one that counts wrong, breaks off and fails. */
export async function openLyingProvider(): Promise<LyingProvider> {
  const honest = await startMessagesApi()
  let calls = 0
  const server = createServer(async (request, response) => {
    const deed = await provider.decide(++calls)
    if (deed === 'failed') {
      const error = { type: 'error', error: { type: 'api_error', message: 'Failed.' } }
      response.writeHead(500, { 'content-type': 'application/json', 'retry-after-ms': '1' }).end(JSON.stringify(error))
      return
    }
    const body: Uint8Array[] = []
    for await (const chunk of request) body.push(chunk)
    const answer = await fetch(`${honest.baseUrl}${request.url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
      body: Buffer.concat(body),
    })
    const text = await answer.text()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    if (deed === 'broken') {
      response.write(text.slice(0, text.length / 2), () => response.destroy())
      return
    }
    response.end(LIES[deed](text))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const provider: LyingProvider = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    decide: () => 'honest',
    countTokens: () => ({
      input: honest.calls.reduce(
        (sum, { usage }) =>
          sum +
          (usage?.input_tokens ?? 0) +
          (usage?.cache_creation_input_tokens ?? 0) +
          (usage?.cache_read_input_tokens ?? 0),
        0,
      ),
      output: honest.calls.reduce((sum, { usage }) => sum + (usage?.output_tokens ?? 0), 0),
    }),
    calls: () => calls,
    async close() {
      server.closeAllConnections()
      server.close()
      await honest.close()
    },
  }
  return provider
}

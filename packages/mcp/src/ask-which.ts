import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { describeError } from './tool-result.ts'

const CHOICE = 'what_to_process'
const Choice = z.object({
  [CHOICE]: z.enum(['video', 'playlist']).describe('The video alone, or all videos of the playlist.'),
})
const QUESTION = {
  message: 'The URL names a video and a playlist. Which of them should be processed?',
  requestedSchema: Choice,
}

/** Returns whether a URL names a playlist besides a video. Endless mixes that the platform makes up do not count. */
export function namesPlaylist(url: string): boolean {
  const withScheme = /^https?:\/\//i.test(url) ? url : `https://${url}`
  if (!URL.canParse(withScheme)) return false
  const { searchParams } = new URL(withScheme)
  const list = searchParams.get('list')
  return list !== null && list !== '' && !list.startsWith('RD')
}

/**
 * Asks the user what to process if a URL names both a video and a playlist, and the client can ask. Returns null if it is the
 * video, and otherwise what the tool has to return: the question, or why nothing was processed.
 */
export async function askWhich(
  server: McpServer,
  ctx: ServerContext,
  url: string,
): Promise<CallToolResult | InputRequiredResult | null> {
  if (!namesPlaylist(url)) return null
  const { envelope, inputResponses } = ctx.mcpReq
  if (envelope) {
    const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = envelope as {
      [key: string]: ClientCapabilities | undefined
    }
    if (!canAsk(capabilities)) return null
    const response = inputResponses?.[CHOICE]
    if (response === undefined) return inputRequired({ inputRequests: { [CHOICE]: inputRequired.elicit(QUESTION) } })
    return toOutcome(acceptedContent(inputResponses, CHOICE, Choice)?.[CHOICE])
  }
  // Over HTTP without sessions, the client's capabilities are not known, and it could not answer.
  if (!canAsk(server.server.getClientCapabilities())) return null
  const requestedSchema = z.toJSONSchema(Choice) as never
  const { action, content } = await ctx.mcpReq.elicitInput({ mode: 'form', ...QUESTION, requestedSchema })
  return toOutcome(action === 'accept' ? Choice.safeParse(content).data?.[CHOICE] : undefined)
}

/** A client that declares elicitation without a kind supports forms. */
const canAsk = (capabilities: ClientCapabilities | undefined): boolean => {
  const { elicitation } = capabilities ?? {}
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

function toOutcome(choice: 'video' | 'playlist' | undefined): CallToolResult | null {
  if (choice === 'video') return null
  return choice === 'playlist'
    ? describeError({
        code: 'PLAYLIST_NOT_SUPPORTED',
        message: 'The user chose the playlist, and videos are processed one by one. Nothing was submitted.',
      })
    : describeError({
        code: 'NOT_CHOSEN',
        message: 'The user did not say whether the video or the playlist is meant. Nothing was submitted.',
      })
}

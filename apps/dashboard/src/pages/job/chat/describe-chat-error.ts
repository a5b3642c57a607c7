import { readableMessage, SubtextError } from '@subtext/sdk'
import { formatZonedTime } from '../../../format.ts'

/** Describes why a question was not answered, and what to do. */
export function describeChatError(error: unknown): string {
  if (!(error instanceof SubtextError) || error.status === 0)
    return 'The connection to the service failed. Check your network and ask again.'
  const { code, details = {} } = error
  if (code === 'QUOTA_EXCEEDED') {
    const again =
      typeof details.reset_at === 'string' ? ` You can ask again from ${formatZonedTime(details.reset_at)}.` : ''
    return `You have asked all the questions that your account allows per day.${again}`
  }
  if (code === 'CONVERSATION_BUSY')
    return 'The last question of this conversation is still being answered. Wait for it, or start a new conversation.'
  if (isFull(details)) return 'This conversation has reached 100 messages. Start a new one to continue.'
  if (code === 'SERVICE_UNAVAILABLE') return 'The answer could not be written. It cost nothing. Ask again.'
  return readableMessage(error, formatZonedTime)
}

const isFull = ({ issues }: Record<string, unknown>): boolean =>
  Array.isArray(issues) && issues.some((issue: { code?: string }) => issue.code === 'conversation_full')

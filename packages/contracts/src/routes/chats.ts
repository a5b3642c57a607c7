import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { requiresPlanFor } from '../plans.ts'
import { queryInteger } from '../query-values.ts'
import { text } from '../text.ts'
import { AnswerKind, MessageStatus } from '../vocabulary.ts'
import { Warning } from '../warnings.ts'
import { JOB_ERRORS, JobError, JobParams } from './job.ts'
import { MAX_OFFSET, MAX_PAGE_SIZE, Pagination } from './list.ts'
import { CachedInputTokens, CacheWriteTokens, InputTokens } from './result.ts'

export const MAX_QUESTION = 2_000
/** Questions and answers. */
export const MAX_MESSAGES = 100

export const conversationId = z.string().toLowerCase().meta({ format: 'uuid' })
const ConversationParams = JobParams.extend({ conversation_id: conversationId })

export const askFields = {
  message: z
    .string()
    .trim()
    .pipe(text(MAX_QUESTION, 1))
    .meta({ description: 'The question, in any language.', minLength: 1, maxLength: MAX_QUESTION }),
  conversation_id: conversationId
    .optional()
    .meta({ description: 'The conversation that the question continues. Default: a new one.' }),
  stream: z.boolean().default(false).meta({
    description: 'Sends the answer as Server-Sent Events while it is written.',
  }),
  regenerate: z.boolean().default(false).meta({
    description:
      'Replaces the last question of the conversation and its answer, once the new answer is complete. Send the same `message` for another answer, or a better one.',
  }),
}

/** Only an answer of a conversation can be replaced. */
export function checkRegenerate(
  { regenerate, conversation_id }: { regenerate: boolean; conversation_id?: string | undefined },
  { addIssue }: z.RefinementCtx,
): void {
  if (!regenerate || conversation_id !== undefined) return
  addIssue({ code: 'custom', path: ['regenerate'], message: '`regenerate` requires `conversation_id`.' })
}

export const AskQuestion = z.strictObject(askFields).superRefine(checkRegenerate).meta({ id: 'AskQuestion' })
export type AskQuestion = z.output<typeof AskQuestion>

export const ChatCitation = z
  .object({
    segment_id: z.int().meta({ description: 'Position of the segment in the transcript, starting at 1.' }),
    start: z.number().meta({ description: 'Seconds.' }),
    url: z.string().meta({ description: 'The moment of the video.' }),
    text: z.string().meta({
      description:
        'The words of the segment or, where `content` quotes a whole passage, those of the passage, which begins with the segment.',
    }),
    position: z.int().min(0).meta({
      description:
        'Where the citation belongs: the end of the sentence or passage that it supports, in UTF-16 code units from the beginning of `content`.',
    }),
  })
  .meta({ id: 'ChatCitation' })
export type ChatCitation = z.infer<typeof ChatCitation>

export const ChatUsage = z
  .object({
    input_tokens: InputTokens,
    output_tokens: z.int(),
    cached_input_tokens: CachedInputTokens,
    cache_write_tokens: CacheWriteTokens,
    total_tokens: z.int(),
    cost_usd: z.number(),
    model: z.string().meta({ description: 'As in the answer.' }),
  })
  .meta({ id: 'ChatUsage' })

const content = z.string().meta({ description: 'Plain text.' })
const Citations = z.array(ChatCitation).meta({ description: 'In the order of `content`.' })
const model = z
  .string()
  .meta({ description: 'The model that wrote the answer; `extractive` for passages, which need no model.' })

export const ChatAnswer = z
  .object({
    conversation_id: z.uuid(),
    message: z
      .object({
        message_id: z.uuid(),
        role: z.literal('assistant'),
        content,
        created_at: z.iso.datetime(),
      })
      .meta({ id: 'AssistantMessage' }),
    answer_kind: AnswerKind,
    citations: Citations,
    model,
    usage: ChatUsage,
  })
  .meta({ id: 'ChatAnswer' })
export type ChatAnswer = z.infer<typeof ChatAnswer>

export const ChatDelta = z
  .object({ text: z.string().meta({ description: 'Append it to the text so far.' }) })
  .meta({ id: 'ChatDelta' })
export const CompletedChatAnswer = ChatAnswer.extend({ warnings: z.array(Warning).optional() }).meta({
  id: 'CompletedChatAnswer',
})

export const Conversation = z
  .object({
    conversation_id: z.uuid(),
    title: z.string().meta({ description: 'The beginning of the first question.' }),
    message_count: z
      .int()
      .min(0)
      .meta({ description: `Questions and answers, at most ${MAX_MESSAGES}.` }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().meta({ description: 'When the last question was asked or answered.' }),
  })
  .meta({ id: 'Conversation' })
export type Conversation = z.infer<typeof Conversation>

export const ConversationList = z
  .object({ conversations: z.array(Conversation), pagination: Pagination })
  .meta({ id: 'ConversationList' })

export const UserMessage = z
  .object({ role: z.literal('user'), content, created_at: z.iso.datetime() })
  .meta({ id: 'UserMessage' })
export const StoredAssistantMessage = z
  .object({
    message_id: z.uuid(),
    role: z.literal('assistant'),
    content: content.meta({ description: 'Plain text; empty until the answer is complete.' }),
    status: MessageStatus,
    answer_kind: AnswerKind.optional(),
    citations: Citations,
    model: model.optional(),
    usage: ChatUsage.optional(),
    warnings: z.array(Warning).optional(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'StoredAssistantMessage' })

export const ChatMessage = z
  .discriminatedUnion('role', [UserMessage, StoredAssistantMessage])
  .meta({ id: 'ChatMessage' })
export type ChatMessage = z.infer<typeof ChatMessage>

export const ConversationWithMessages = Conversation.extend({
  messages: z.array(ChatMessage).meta({ description: 'Each question with its answer, oldest first.' }),
}).meta({ id: 'ConversationWithMessages' })

export const DeletedConversation = z
  .object({ conversation_id: z.uuid(), deleted: z.literal(true) })
  .meta({ id: 'DeletedConversation' })

export const ConversationsQuery = z.strictObject({
  limit: queryInteger(1, MAX_PAGE_SIZE).default(20).meta({ description: 'Maximum number of conversations per page.' }),
  offset: queryInteger(0, MAX_OFFSET)
    .optional()
    .meta({ description: 'Number of newest conversations to skip. Cannot be combined with `cursor`.' }),
  cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the previous page.' }),
})

export const chats = {
  ask: defineRoute({
    method: 'post',
    path: '/videos/chat/{job_id}',
    operationId: 'askQuestion',
    summary: 'Ask a question about a video',
    description: [
      'Answers a question about the video of a completed job, in the language of the question. Every sentence of an answer is',
      'checked against the segments of the transcript that it cites; sentences that these do not support are left out. Without',
      'a language model, and while it is unavailable, the answer consists of the three passages that fit best.\n\n',
      'With `stream`, the response is a stream of Server-Sent Events: `delta` with each sentence as soon as it has been checked,',
      '`citation` with each citation of that sentence, and finally `done` with the whole answer. The answer is written even if',
      'you disconnect: `GET /videos/chat/{job_id}/{conversation_id}` has it. In place of `done`, `error` says why an answer could',
      'not be completed.\n\n',
      `A conversation has up to ${MAX_MESSAGES} messages, and one answer at a time is written in it. ${requiresPlanFor('chat')}`,
    ].join(' '),
    access: 'write',
    params: JobParams,
    query: z.strictObject({}),
    body: AskQuestion,
    idempotent: true,
    response: ChatAnswer,
    status: 200,
    requestableEvents: { delta: ChatDelta, citation: ChatCitation, done: CompletedChatAnswer, error: JobError },
    responseHeaders: ['Location'],
    errors: [
      'NOT_FOUND',
      'VALIDATION_ERROR',
      'INVALID_JSON',
      'PLAN_UPGRADE_REQUIRED',
      'QUOTA_EXCEEDED',
      'JOB_NOT_COMPLETED',
      'CONVERSATION_BUSY',
      ...JOB_ERRORS,
    ],
    example: { body: { message: 'What did she discover, and how?' } },
  }),
  list: defineRoute({
    method: 'get',
    path: '/videos/chat/{job_id}',
    operationId: 'listConversations',
    summary: 'List the conversations about a video',
    description: 'Newest first. Pages work as in `GET /videos/`.',
    access: 'read',
    params: JobParams,
    query: ConversationsQuery,
    response: ConversationList,
    status: 200,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  }),
  get: defineRoute({
    method: 'get',
    path: '/videos/chat/{job_id}/{conversation_id}',
    operationId: 'getConversation',
    summary: 'Get a conversation',
    description:
      'Returns all messages. An answer that is still being written is `pending`; one that could not be written is `failed`, costs nothing, and can be requested again with `regenerate`.',
    access: 'read',
    params: ConversationParams,
    query: z.strictObject({}),
    response: ConversationWithMessages,
    status: 200,
    errors: ['NOT_FOUND'],
  }),
  delete: defineRoute({
    method: 'delete',
    path: '/videos/chat/{job_id}/{conversation_id}',
    operationId: 'deleteConversation',
    summary: 'Delete a conversation',
    description:
      'Deletes all messages of a conversation. Conversations are also deleted together with their job. Their costs remain in your usage.',
    access: 'write',
    params: ConversationParams,
    query: z.strictObject({}),
    response: DeletedConversation,
    status: 200,
    errors: ['NOT_FOUND', 'CONVERSATION_BUSY'],
  }),
}

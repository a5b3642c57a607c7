import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { requiresPlanFor } from '../plans.ts'
import { Warning } from '../warnings.ts'
import {
  askFields,
  ChatAnswer,
  ChatCitation,
  ChatDelta,
  Conversation,
  ConversationsQuery,
  checkRegenerate,
  conversationId,
  DeletedConversation,
  StoredAssistantMessage,
  UserMessage,
} from './chats.ts'
import { JobError } from './job.ts'
import { Pagination } from './list.ts'

/** Jobs that a conversation about many videos can name. */
export const MAX_SCOPE_JOBS = 500

const SCOPES = [
  '`{"all": true}`',
  '`{"batch_id": "..."}`',
  '`{"source_id": "..."}`',
  `\`{"job_ids": ["..."]}\` with 1 to ${MAX_SCOPE_JOBS} jobs`,
].join(', ')

/** Which videos a conversation is about. */
export const LibraryScope = z
  .union(
    [
      z.strictObject({ batch_id: z.string().toLowerCase().meta({ format: 'uuid' }) }),
      z.strictObject({
        job_ids: z
          .array(z.string().toLowerCase().meta({ format: 'uuid' }))
          .min(1)
          .max(MAX_SCOPE_JOBS),
      }),
      z.strictObject({ source_id: z.string().toLowerCase().meta({ format: 'uuid' }) }),
      z.strictObject({ all: z.literal(true) }),
    ],
    { error: `Must be one of ${SCOPES}.` },
  )
  .meta({
    id: 'LibraryScope',
    description:
      'The completed videos of a batch, of some jobs, of a source, or all of your library. Jobs that are not completed are left out.',
  })
export type LibraryScope = z.infer<typeof LibraryScope>

export const AskLibrary = z
  .strictObject({
    ...askFields,
    scope: LibraryScope.optional().meta({
      description: 'Required in the first message of a conversation, which keeps it.',
    }),
  })
  .superRefine(checkRegenerate)
  .meta({ id: 'AskLibrary' })
export type AskLibrary = z.output<typeof AskLibrary>

export const LibraryCitation = ChatCitation.extend({
  job_id: z.uuid(),
  video_id: z.string(),
  video_title: z.string(),
}).meta({ id: 'LibraryCitation' })
export type LibraryCitation = z.infer<typeof LibraryCitation>

const LibraryCitations = z.array(LibraryCitation).meta({
  description: 'In the order of `content`. A sentence that says something of two videos cites both.',
})

export const LibraryAnswer = ChatAnswer.extend({ citations: LibraryCitations }).meta({ id: 'LibraryAnswer' })
export type LibraryAnswer = z.infer<typeof LibraryAnswer>

const CompletedLibraryAnswer = LibraryAnswer.extend({ warnings: z.array(Warning).optional() }).meta({
  id: 'CompletedLibraryAnswer',
})

export const LibraryConversation = Conversation.extend({ scope: LibraryScope }).meta({ id: 'LibraryConversation' })
export type LibraryConversation = z.infer<typeof LibraryConversation>

const LibraryConversationList = z
  .object({ conversations: z.array(LibraryConversation), pagination: Pagination })
  .meta({ id: 'LibraryConversationList' })

export const LibraryChatMessage = z
  .discriminatedUnion('role', [
    UserMessage,
    StoredAssistantMessage.extend({ citations: LibraryCitations }).meta({ id: 'StoredLibraryAnswer' }),
  ])
  .meta({ id: 'LibraryChatMessage' })
export type LibraryChatMessage = z.infer<typeof LibraryChatMessage>

export const LibraryConversationWithMessages = LibraryConversation.extend({
  messages: z.array(LibraryChatMessage).meta({ description: 'Each question with its answer, oldest first.' }),
}).meta({ id: 'LibraryConversationWithMessages' })

const LibraryConversationParams = z.object({ conversation_id: conversationId })

export const libraryChats = {
  ask: defineRoute({
    method: 'post',
    path: '/library/chat',
    operationId: 'askLibrary',
    summary: 'Ask a question about many videos',
    description: [
      'Answers a question from the passages of many videos that fit it best: at most 20, and four of a video. Every sentence is',
      'checked against the lines of the videos that it cites; `not_in_video` means that none of them answers it. Conversations work',
      'as those about a single video, and count toward the same quota. Without a language model, and while it is unavailable, the',
      `answer consists of the three passages that fit best. ${requiresPlanFor('chat')}`,
    ].join(' '),
    access: 'write',
    query: z.strictObject({}),
    body: AskLibrary,
    idempotent: true,
    response: LibraryAnswer,
    status: 200,
    requestableEvents: {
      delta: ChatDelta,
      citation: LibraryCitation,
      done: CompletedLibraryAnswer,
      error: JobError,
    },
    eventPrefix: 'Library',
    responseHeaders: ['Location'],
    errors: [
      'NOT_FOUND',
      'VALIDATION_ERROR',
      'INVALID_JSON',
      'PLAN_UPGRADE_REQUIRED',
      'QUOTA_EXCEEDED',
      'CONVERSATION_BUSY',
      'SERVICE_UNAVAILABLE',
    ],
    example: { body: { message: 'What do they say about tides?', scope: { all: true } } },
  }),
  list: defineRoute({
    method: 'get',
    path: '/library/chat',
    operationId: 'listLibraryConversations',
    summary: 'List the conversations about many videos',
    description: 'Newest first. Pages work as in `GET /videos/`.',
    access: 'read',
    query: ConversationsQuery,
    response: LibraryConversationList,
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
  get: defineRoute({
    method: 'get',
    path: '/library/chat/{conversation_id}',
    operationId: 'getLibraryConversation',
    summary: 'Get a conversation about many videos',
    description:
      'Like a conversation about a single video. When a job is deleted, what answers took from it goes with it.',
    access: 'read',
    params: LibraryConversationParams,
    query: z.strictObject({}),
    response: LibraryConversationWithMessages,
    status: 200,
    errors: ['NOT_FOUND'],
  }),
  delete: defineRoute({
    method: 'delete',
    path: '/library/chat/{conversation_id}',
    operationId: 'deleteLibraryConversation',
    summary: 'Delete a conversation about many videos',
    description: 'Deletes all messages of a conversation. Its costs remain in your usage.',
    access: 'write',
    params: LibraryConversationParams,
    query: z.strictObject({}),
    response: DeletedConversation,
    status: 200,
    errors: ['NOT_FOUND', 'CONVERSATION_BUSY'],
  }),
}

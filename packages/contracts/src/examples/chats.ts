import type { ChatAnswer, ChatMessage, Conversation } from '../routes/chats.ts'
import type { LibraryAnswer, LibraryChatMessage, LibraryConversation } from '../routes/library-chats.ts'
import { JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'

export const CONVERSATION_ID = '0193a1f5-1c44-7a0e-b6d2-8f3c5e7a9b20'
const QUESTION = 'Where do rivers end?'

const ANSWER: ChatAnswer = {
  conversation_id: CONVERSATION_ID,
  message: {
    message_id: '0193a1f6-2d41-7f03-9c52-4b7e1a2d8c60',
    role: 'assistant',
    content: 'Rivers flow and end in the sea.',
    created_at: '2026-01-01T00:10:04.310Z',
  },
  answer_kind: 'answer',
  citations: [{ segment_id: 3, start: 6, url: `${VIDEO_URL}&t=6s`, text: 'They end in the sea.', position: 31 }],
  model: 'claude-haiku-5-5',
  usage: {
    input_tokens: 1_900,
    output_tokens: 60,
    cached_input_tokens: 0,
    cache_write_tokens: 1_100,
    total_tokens: 1_960,
    cost_usd: 0.00033,
    model: 'claude-haiku-5-5',
  },
}

const CONVERSATION: Conversation = {
  conversation_id: CONVERSATION_ID,
  title: QUESTION,
  message_count: 2,
  created_at: '2026-01-01T00:10:02.120Z',
  updated_at: ANSWER.message.created_at,
}

const { message, answer_kind, citations, model, usage } = ANSWER
const MESSAGES: ChatMessage[] = [
  { role: 'user', content: QUESTION, created_at: CONVERSATION.created_at },
  { ...message, role: 'assistant', status: 'complete', answer_kind, citations, model, usage },
]

const event = (name: string, id: number, data: unknown): string =>
  `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`

const ANSWER_EVENTS = [
  event('delta', 1, { text: ANSWER.message.content }),
  event('citation', 2, ANSWER.citations[0]),
  event('done', 3, ANSWER),
].join('')

const LIBRARY_ANSWER: LibraryAnswer = {
  ...ANSWER,
  citations: ANSWER.citations.map((citation) => ({
    ...citation,
    job_id: JOB_ID,
    video_id: VIDEO_ID,
    video_title: 'Rivers and the sea',
  })),
}
const LIBRARY_CONVERSATION: LibraryConversation = { ...CONVERSATION, scope: { all: true } }
const LIBRARY_MESSAGES: LibraryChatMessage[] = [
  { role: 'user', content: QUESTION, created_at: CONVERSATION.created_at },
  {
    ...message,
    role: 'assistant',
    status: 'complete',
    answer_kind,
    citations: LIBRARY_ANSWER.citations,
    model,
    usage,
  },
]
const PAGE = { total: 1, limit: 20, offset: 0, has_more: false, next_offset: null, next_cursor: null }

/** By `operationId`. */
export const CHAT_EXAMPLES = {
  askLibrary: {
    response: 'The answer. `Location` is the path of the conversation.',
    bodies: {
      batch: {
        summary: 'About the videos of a batch, as a stream.',
        value: { message: QUESTION, scope: { batch_id: '0193a1f7-9e10-7c33-8d11-2b6f4c9a0e55' }, stream: true },
      },
      continued: { summary: 'The next question.', value: { message: 'And why?', conversation_id: CONVERSATION_ID } },
    },
    data: { answered: { summary: 'Answered.', value: LIBRARY_ANSWER } },
    documents: {
      'text/event-stream': [
        event('delta', 1, { text: ANSWER.message.content }),
        event('citation', 2, LIBRARY_ANSWER.citations[0]),
        event('done', 3, LIBRARY_ANSWER),
      ].join(''),
    },
  },
  listLibraryConversations: {
    response: 'A page of your conversations about many videos.',
    data: {
      page: { summary: 'The only page.', value: { conversations: [LIBRARY_CONVERSATION], pagination: PAGE } },
    },
  },
  getLibraryConversation: {
    response: 'The conversation with its messages.',
    data: { answered: { summary: 'One question.', value: { ...LIBRARY_CONVERSATION, messages: LIBRARY_MESSAGES } } },
  },
  deleteLibraryConversation: {
    response: 'The conversation is deleted.',
    data: { deleted: { summary: 'Deleted.', value: { conversation_id: CONVERSATION_ID, deleted: true } } },
  },
  askQuestion: {
    response: 'The answer. `Location` is the path of the conversation.',
    bodies: {
      continued: {
        summary: 'The next question, as a stream.',
        value: { message: 'And why?', conversation_id: CONVERSATION_ID, stream: true },
      },
      again: {
        summary: 'Another answer to the last question.',
        value: { message: QUESTION, conversation_id: CONVERSATION_ID, regenerate: true },
      },
    },
    data: { answered: { summary: 'Answered.', value: ANSWER } },
    documents: { 'text/event-stream': ANSWER_EVENTS },
  },
  listConversations: {
    response: 'A page of your conversations about the video.',
    data: {
      page: {
        summary: 'The only page.',
        value: {
          conversations: [CONVERSATION],
          pagination: PAGE,
        },
      },
    },
  },
  getConversation: {
    response: 'The conversation with its messages.',
    data: { answered: { summary: 'One question.', value: { ...CONVERSATION, messages: MESSAGES } } },
  },
  deleteConversation: {
    response: 'The conversation is deleted.',
    data: { deleted: { summary: 'Deleted.', value: { conversation_id: CONVERSATION_ID, deleted: true } } },
  },
}

import type { ChatMessage } from '@subtext/sdk'
import { joinDraft } from './join-draft.ts'

const exchange = (status: 'completed' | 'pending' | 'failed', id = 'one') =>
  [
    { role: 'user', content: 'Who drew it?' },
    { role: 'assistant', id, status, content: 'Marie Tharp did.' },
  ] as ChatMessage[]
const draft = (after: number) => ({ question: 'Who drew it?', text: 'Marie', citations: [], after })
const earlier = exchange('completed', 'zero')

test('a draft is shown after the messages before it', () => {
  expect(joinDraft([], draft(0))).toEqual({ messages: [], draft: draft(0) })
  expect(joinDraft(earlier, draft(2))).toEqual({ messages: earlier, draft: draft(2) })
  expect(joinDraft(earlier, null)).toEqual({ messages: earlier, draft: null })
})

test('a draft is shown in place of its exchange until the answer is stored', () => {
  const asked = [...earlier, ...exchange('pending')]
  expect(joinDraft(asked, draft(2))).toEqual({ messages: earlier, draft: draft(2) })
})

test.each(['completed', 'failed'] as const)('an answer that is stored as %s takes the place of the draft', (status) => {
  const answered = [...earlier, ...exchange(status)]
  expect(joinDraft(answered, draft(2))).toEqual({ messages: answered, draft: null })
})

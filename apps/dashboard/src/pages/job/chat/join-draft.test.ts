import type { ChatMessage } from '@subtext/sdk'
import { joinDraft, startDraft } from './join-draft.ts'

const exchange = (status: 'completed' | 'pending' | 'failed', id = 'one') =>
  [
    { role: 'user', content: 'Who drew it?' },
    { role: 'assistant', message_id: id, status, content: 'Marie Tharp did.' },
  ] as ChatMessage[]
const ask = (messages: ChatMessage[], regenerate = false) => ({
  ...startDraft('Who drew it?', messages, regenerate),
  text: 'Marie',
})
const earlier = exchange('completed', 'zero')

test('a draft is shown after the messages before it', () => {
  expect(joinDraft([], ask([]))).toEqual({ messages: [], draft: ask([]) })
  expect(joinDraft(earlier, ask(earlier))).toEqual({ messages: earlier, draft: ask(earlier) })
  expect(joinDraft(earlier, null)).toEqual({ messages: earlier, draft: null })
})

test('a draft is shown in place of its exchange until the answer is stored', () => {
  const asked = [...earlier, ...exchange('pending')]
  expect(joinDraft(asked, ask(earlier))).toEqual({ messages: earlier, draft: ask(earlier) })
})

test.each(['completed', 'failed'] as const)('an answer that is stored as %s takes the place of the draft', (status) => {
  const answered = [...earlier, ...exchange(status)]
  expect(joinDraft(answered, ask(earlier))).toEqual({ messages: answered, draft: null })
})

test('a draft is shown in place of the exchange whose answer is written again, until the new answer is stored', () => {
  const failed = [...earlier, ...exchange('failed')]
  const draft = ask(failed, true)
  const pending = [...earlier, ...exchange('pending', 'two')]
  for (const stored of [failed, pending]) expect(joinDraft(stored, draft)).toEqual({ messages: earlier, draft })
  const answered = [...earlier, ...exchange('completed', 'two')]
  expect(joinDraft(answered, draft)).toEqual({ messages: answered, draft: null })
})

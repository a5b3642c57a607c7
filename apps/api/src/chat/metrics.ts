import { DROP_REASONS } from '@subtext/chat'
import { ANSWER_KINDS, type AnswerKind } from '@subtext/contracts'
import type { Metrics } from '@subtext/runtime'

/** Creates the metrics of answers in chats. */
export function createChatMetrics(metrics: Metrics) {
  const answers = metrics.counter('subtext_chat_answers_total', 'Answers in chats, by what they consist of.', {
    kind: [...ANSWER_KINDS, 'failed'],
  })
  const firstText = metrics.duration(
    'subtext_chat_first_text_seconds',
    'Time from the acceptance of a question to the first checked sentence or passage of its answer.',
    {},
  )
  return {
    countAnswer: (kind: AnswerKind | 'failed') => answers({ kind }),
    observeFirstText: (seconds: number) => firstText({}, seconds),
    countDropped: metrics.counter(
      'subtext_chat_dropped_sentences_total',
      'Sentences of the language model that were not shown: without a citation, with an address or a tag, or not supported by what they cite.',
      { reason: DROP_REASONS },
    ),
  }
}

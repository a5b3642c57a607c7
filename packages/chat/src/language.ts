import { isSameLanguage, scriptOf } from '@subtext/captions'
import { type DetectLanguage, isOnlyHan } from '@subtext/evidence'

export interface Asked {
  question: string
  /** The questions before it, the oldest first. */
  earlier: string[]
  /** Of the transcript, BCP-47. */
  trackLanguage: string
}

const HAN_SCRIPTS = new Set(['Jpan', 'Hans', 'Hant'])

/**
 * Returns the language (BCP-47) in which a question is answered: its own, or else that of the questions before it, or else
 * that of the transcript.
 */
export function selectAnswerLanguage({ question, earlier, trackLanguage }: Asked, detect: DetectLanguage): string {
  if (isOnlyHan(question)) return HAN_SCRIPTS.has(scriptOf(trackLanguage) ?? '') ? trackLanguage : 'zh'
  const detected = detect(question) ?? detect([...earlier, question].join(' '))
  return detected === null || isSameLanguage(detected, trackLanguage) ? trackLanguage : detected
}

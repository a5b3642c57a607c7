import { createLeakGuard } from '@subtext/evidence'
import { SYSTEM_RULES } from '@subtext/summarize/prompts'
import { LIBRARY_SECRETS } from './library/library-prompt.ts'
import { CHAT_SECRETS } from './prompt.ts'

/** Returns whether a text repeats what only we send to the model. */
export const isLeak = createLeakGuard([SYSTEM_RULES, ...CHAT_SECRETS, ...LIBRARY_SECRETS])

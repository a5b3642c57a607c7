const LAST_WORDS =
  "the|a|an|of|to|in|on|at|for|from|with|and|or|but|so|that|which|is|are|was|were|if|when|because|as|by|um|uh|like|i|we|it's|i'm|very|my|your|our|their|this|these|then|he|she|they|you|have|has|had|be|been|can|will|would|could|should|not|don't|do|does|did|what|who|how|where|just|more|than|into|about"

/** What keeps an English point from being read alone. */
const FLAWS = {
  connection:
    /^(?:so|and|but|because|then|also|or|which|that's|well|okay|ok|yeah|yes|no|right|now|i mean|you know|anyway|however|therefore|thus|for example|in fact|like)\b/i,
  pronoun:
    /^(?:(?:so|and|but|because|now|then|well|okay|that's)[, ]+)*(?:it|this|that|these|those|he|she|they|there|them|his|her|their|its|it's|that's|he's|she's|they're)\b/i,
  cut: new RegExp(`\\b(?:${LAST_WORDS})[.]?$`, 'i'),
  hesitation: /\b(?:um|uh|uhm|eh|er|hmm|mm)\b/i,
  repetition: /\b(\w+)(?:[ ,-]+\1\b)+/i,
  promotion:
    /subscribe|sponsor|podcast|website|check out|welcome to|thank(?:s| you)|good (?:morning|afternoon|evening)|download|patreon|follow me|newsletter|show notes|operator|our next question/i,
} satisfies Record<string, RegExp>

const MIN_WORDS = 6

/** Returns whether a point has one of the flaws by which a reader notices that it was taken out of a conversation. */
export function isFlawed(text: string): boolean {
  const bare = text.replace(/["“”]|\.\.\./g, '').trim()
  return (
    bare.split(' ').length < MIN_WORDS ||
    Object.entries(FLAWS).some(([name, pattern]) => pattern.test(name === 'cut' ? bare.replace(/[.!?…]+$/, '') : bare))
  )
}

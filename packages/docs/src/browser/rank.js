// Finds the places that fit a question. The script of the search shows them.
const MAX_RESULTS = 12

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

/** Returns how many letters have to be replaced, added, left out or exchanged to make a word the beginning of another one. */
const countErrors = (word, other) => {
  let [before, last] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= word.length; row++) {
    const current = [row]
    for (let at = 1; at <= other.length; at++) {
      const isSame = word[row - 1] === other[at - 1]
      current[at] = Math.min(last[at] + 1, current[at - 1] + 1, last[at - 1] + (isSame ? 0 : 1))
      const isExchanged = row > 1 && at > 1 && word[row - 1] === other[at - 2] && word[row - 2] === other[at - 1]
      if (isExchanged) current[at] = Math.min(current[at], before[at - 2] + 1)
    }
    ;[before, last] = [last, current]
  }
  return Math.min(...last)
}

const maxErrors = ({ length }) => (length < 4 ? 0 : length < 8 ? 1 : 2)

const vocabularies = new WeakMap()
const vocabularyOf = (index) => {
  if (!vocabularies.has(index))
    vocabularies.set(index, new Set(index.flatMap(({ p, h, t }) => wordsOf(`${p} ${h} ${t}`))))
  return vocabularies.get(index)
}

/** Returns the word or, if no text has it, the words with the fewest errors that it may stand for. */
const correct = (word, index) => {
  const known = [...vocabularyOf(index)]
  if (known.some((each) => each.includes(word))) return [word]
  const max = maxErrors(word)
  const near = known
    .filter(({ length }) => length >= word.length - max)
    .map((each) => ({ each, errors: countErrors(word, each.slice(0, word.length + max)) }))
  const fewest = Math.min(max + 1, ...near.map(({ errors }) => errors))
  return near
    .filter(({ errors }) => errors <= max && errors === fewest)
    .map(({ each }) => each)
    .sort((one, other) => one.length - other.length)
}

/** Rates how well one word of the question fits: 0 if it does not occur. */
const rateWord = (word, { p, h, t }) => {
  const begins = (text) => wordsOf(text).some((each) => each.startsWith(word))
  return (begins(h) ? 6 : 0) + (begins(p) ? 3 : 0) + (begins(t) ? 1 : t.toLowerCase().includes(word) ? 0.5 : 0)
}

/** Returns the places that have every word of a question, those in headings first, and the words that were searched for. */
globalThis.rankEntries = (index, question) => {
  const words = wordsOf(question)
  const meant = words.map((word) => correct(word, index))
  if (words.length === 0) return { entries: [], words }
  const entries = index
    .map((entry) => ({ entry, rates: meant.map((each) => Math.max(0, ...each.map((word) => rateWord(word, entry)))) }))
    .filter(({ rates }) => rates.every((rate) => rate > 0))
    .map(({ entry, rates }) => ({ entry, score: rates.reduce((sum, rate) => sum + rate, 0) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry)
  return { entries, words: meant.map(([first], at) => first ?? words[at]) }
}

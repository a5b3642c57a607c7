import { measureGrowth } from '@subtext/runtime/testing'
import { createNumberCheck } from './numbers.ts'

/** Returns a function that counts the numbers of a text that the evidence does not say. */
const createCounter = (textLanguage: string, evidenceLanguage: string) => {
  const { listNumbers, selectUnsaid } = createNumberCheck(textLanguage, evidenceLanguage)
  return (text: string, evidence: string): number => selectUnsaid(listNumbers(text), evidence).length
}
const english = createCounter('en', 'en')

test.each([
  ['in other digits', 'It costs 1,500 dollars.', 'it costs 1500 dollars'],
  ['with another grouping', 'It costs 1.500.000 dollars.', 'it costs 1 500 000 dollars'],
  ['with another decimal mark', 'It grew by 3.5 percent.', 'it grew by 3,5 percent'],
  ['in words', 'It takes 15 minutes.', 'it takes fifteen minutes'],
  ['in hyphenated words', 'It takes 52 minutes.', 'it takes fifty-two minutes'],
  ['as a year is spoken', 'In 1952 it was forbidden.', 'in nineteen fifty two it was forbidden'],
  ['in hundreds', 'Sound travels 1,500 meters per second.', 'about fifteen hundred meters per second'],
  ['in words with a conjunction', 'There are 102 of them.', 'there are one hundred and two of them'],
  ['in digits instead of words', 'There are twenty-one of them.', 'there are 21 of them'],
  ['in digits instead of many words', 'It is forty-five thousand.', 'it is 45,000'],
  ['in the digits of another script', 'There are 12.', 'there are १२'],
  ['as a part of a time', 'At 7 it starts.', 'it starts at 7:30'],
  ['with a leading zero', 'Number 7.', 'number 007'],
])('finds a number that is said %s', (_, text, evidence) => {
  expect(english(text, evidence)).toBe(0)
})

test.each([
  ['digits', 'It costs 1,501 dollars.', 'it costs 1500 dollars', 1],
  ['decimals', 'It grew by 3.6 percent.', 'it grew by 3.5 percent', 1],
  ['a part of another number', 'There are 5 of them.', 'there are 15 of them', 1],
  ['words', 'It takes seven hours.', 'it takes six hours', 1],
  ['a larger unit', 'It costs two million.', 'it costs two thousand', 1],
  ['words that are only said in part', 'It takes fifty-two minutes.', 'fifty of the two', 1],
  ['many numbers', '1 2 3 four', 'two', 3],
])('reports %s that nobody says', (_, text, evidence, unsaid) => {
  expect(english(text, evidence)).toBe(unsaid)
})

test('treats `one` and `zero` as words without a number, which they mostly are', () => {
  expect(english('One of them is the one, with zero doubt.', 'the other')).toBe(0)
})

test.each([
  ['de', 'Es sind 52 Karten aus dem Jahr 1952.', 'zweiundfünfzig Karten von neunzehnhundertzweiundfünfzig'],
  ['es', 'Son 52 cajas.', 'cincuenta y dos cajas'],
  ['fr', 'Il y a 21 pages.', 'vingt et une pages, vingt et un livres'],
  ['pt', 'São 45000 pessoas.', 'quarenta e cinco mil pessoas'],
  ['ja', '15枚です。', '紙は十五枚です'],
  ['zh', '有24个节气', '二十四个节气'],
  ['ko', '52개입니다', '모두 오십이 개'],
  ['hi', '52 किताबें', 'बावन किताबें'],
])('knows the number words of %s', (language, text, evidence) => {
  const countUnsaid = createCounter(language, language)
  expect(countUnsaid(text, evidence)).toBe(0)
  expect(countUnsaid(text, '-')).toBeGreaterThan(0)
})

test('compares numbers across languages', () => {
  const countUnsaid = createCounter('de', 'en')
  expect(countUnsaid('Es sind sieben Karten und zweiundfünfzig Bilder.', '7 maps and fifty-two pictures')).toBe(0)
  expect(countUnsaid('Es sind acht Karten.', '7 maps')).toBe(1)
})

test('compares only digits in a language whose number words are not known', () => {
  const countUnsaid = createCounter('sw', 'sw')
  expect(countUnsaid('saba 7', 'nne 7')).toBe(0)
  expect(countUnsaid('8', '7')).toBe(1)
})

test.each([
  ['digits', (size: number) => ['1,234 '.repeat(size), '9 '.repeat(size)]],
  ['grouped digits', (size: number) => [`1${',234'.repeat(size)}5`, '']],
  ['words', (size: number) => ['two thousand five x '.repeat(size), '7 '.repeat(size)]],
])('takes linear time for %s', async (_, build) => {
  const check = (size: number) => {
    const [text = '', evidence = ''] = build(size)
    english(text, evidence)
  }
  expect(await measureGrowth(check, { small: 1_000, large: 16_000 })).toBeLessThan(5)
})

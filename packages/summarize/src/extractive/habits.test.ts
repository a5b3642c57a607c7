import { beginsWithPronoun, tidySpoken } from './habits.ts'

test.each([
  ['en', 'so um the the boat is uh really old', 'the boat is really old'],
  ['en', 'and then I think I think we should leave now', 'I think we should leave now'],
  ['en', 'well, okay, the harbour was closed for a week.', 'the harbour was closed for a week.'],
  ['en', 'that had had no effect at all', 'that had had no effect at all'],
  ['fr', 'et donc euh nous nous demandons ce qui se passe', 'nous nous demandons ce qui se passe'],
  ['hi', 'तो वह धीरे धीरे घर की तरफ़ चला गया', 'वह धीरे धीरे घर की तरफ़ चला गया'],
  ['de', 'und dann müssen wir äh das Boot reparieren', 'dann müssen wir das Boot reparieren'],
  ['de', 'also, wir müssen morgen das Boot reparieren', 'wir müssen morgen das Boot reparieren'],
  ['xx', 'um um the boat', 'um um the boat'],
])('%s: removes hesitation, repetition and connections: %s', (language, spoken, tidy) => {
  expect(tidySpoken(spoken, language)).toBe(tidy)
})

test('leaves a short sentence its first word', () => {
  expect(tidySpoken('so we left', 'en')).toBe('so we left')
})

test('notices a first word that stands for something said before', () => {
  expect(beginsWithPronoun('It was closed.', 'en')).toBe(true)
  expect(beginsWithPronoun('Items were closed.', 'en')).toBe(false)
})

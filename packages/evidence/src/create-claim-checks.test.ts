import { findReason } from './checks/check.ts'
import { createClaimChecks } from './create-claim-checks.ts'

/** Returns why lines do not carry a text; null if they do. */
function check(languages: string, text: string, line: string, published: string[] = []) {
  const [language = '', linesLanguage = language] = languages.split('>')
  const lines = { cited: line, near: line, sentences: line, quotes: [line] }
  return findReason(text, lines, createClaimChecks({ language, linesLanguage, published }))
}

test.each([
  ['en', 'Sales rose in April.', 'Sales rose in May.', 'unsaid_number'],
  ['en', 'On 5 April it opened.', 'It opened on 4/5.', null],
  ['en', 'It opens on Tuesdays.', 'It opens on Tuesday.', null],
  ['en', 'It opens on Tuesdays.', 'It opens on Thursdays.', 'unsaid_number'],
  ['fr', 'Les ventes ont monté, mais pas en avril.', 'Les ventes ont monté, pas en avril.', null],
  ['fr', 'Les ventes ont monté en mai.', 'Les ventes ont monté en juin.', 'unsaid_number'],
  ['ar', 'ارتفعت المبيعات في نيسان.', 'ارتفعت المبيعات في أبريل.', null],
  ['ja', '火曜日に開きます。', '木曜日に開きます。', 'unsaid_number'],
])('compares months and days of the week in %s: %s: %s', (languages, text, line, reason) => {
  expect(check(languages, text, line)).toBe(reason)
})

test.each([
  ['en', 'It cost 2 euros.', 'It cost 2 dollars.', 'unsaid_number'],
  ['en', 'It cost two dollars.', 'It cost $2.', null],
  ['en', 'It cost $5m.', 'It cost five million dollars.', null],
  ['en', 'It takes one hour.', 'It takes an hour.', null],
  ['en', 'It grew one percent.', 'It grew two percent.', 'unsaid_number'],
  ['en', 'No one is the one.', 'Nobody is.', null],
  ['en', 'Two cars were lost.', 'Sixty cars were lost, and two dollars.', 'unsaid_number'],
  ['en', 'Two cars were lost.', 'Two or three cars were lost.', null],
  ['en', 'It fell in Q3.', 'In the third quarter it fell.', null],
  ['en', 'It fell in the third quarter.', 'In the second quarter it fell.', 'unsaid_number'],
  ['en', 'It is 15,000.', 'It is 15.', 'unsaid_number'],
  ['ko', '5시간이 걸렸다.', '다섯 시간이 걸렸다.', null],
  ['ja', '三人が来た。', '五人が来た。', 'unsaid_number'],
  ['ar', 'في عام 1952', 'في عام ألف وتسعمائة واثنان وخمسون', null],
])('compares numbers with their units in %s: %s: %s', (languages, text, line, reason) => {
  expect(check(languages, text, line)).toBe(reason)
})

test.each([
  ['en', 'Here Tharp drew it.', 'She drew it.', [], 'unknown_name'],
  ['en', 'Here Tharp drew it.', 'She drew it.', ['A talk by Marie Tharp'], null],
  ['en', 'Talks at Youtube and the USA.', 'talks at you tube and the u s a', [], null],
  ['en', 'Then Dr. Benson drew it.', 'Then Dr. Solberg drew it.', [], 'unknown_name'],
  ['fr', 'Elle vient d’Italie.', 'Elle vient d’Espagne.', [], 'unknown_name'],
  ['es>en', 'Fue a Londres y a la Casa Blanca de Estados Unidos.', 'He went to London and the White House.', [], null],
  ['en>es', 'He went to Germany with Benson.', 'Fue a Alemania con Solberg.', [], 'unknown_name'],
  ['de>en', 'Er fuhr mit Hilfe von Benson.', 'He drove with help of Solberg.', [], null],
  ['zh>en', '他和 Benson 去了。', 'He went with Solberg.', [], null],
])('compares names in %s: %s: %s (%j)', (languages, text, line, published, reason) => {
  expect(check(languages, text, line, published)).toBe(reason)
})

test.each([
  ['en', 'The board approved the plan.', 'The board rejected the plan.', 'contradicted'],
  ['en', 'Sales rose while costs fell.', 'Sales rose, but costs fell.', null],
  ['en', 'Did it approve the plan? No, it rejected the plan.', 'The board rejected the plan.', null],
  ['en', 'The captain stayed on the ship.', 'The captain did not leave the ship.', null],
  ['de', 'Die Preise stiegen im Winter.', 'Die Preise fielen im Winter.', 'contradicted'],
  ['es', 'El consejo aprobó el plan.', 'El consejo rechazó el plan.', 'contradicted'],
  ['zh', '燃料价格上涨了。', '燃料价格下跌了。', 'contradicted'],
  ['ar', 'وافق المجلس على الخطة القديمة.', 'رفض المجلس الخطة القديمة.', 'contradicted'],
])('finds what is turned round in %s: %s: %s', (languages, text, line, reason) => {
  expect(check(languages, text, line)).toBe(reason)
})

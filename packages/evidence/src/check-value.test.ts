import { createValueChecks } from './index.ts'

describe('a number', () => {
  test.each([
    ['en', 'Take row A1 of the table.', 1],
    ['en', 'We measured CO2 in the hall.', 2],
    ['en', 'A B2B product and an mp3 file.', 3],
    ['de', 'Nimm die A8 nach Ulm.', 8],
    ['ru', 'Поезд М7 уже ушёл.', 7],
    ['el', 'Πάρε το Α1 μέχρι το τέλος.', 1],
  ])('is not said by a name that ends with it (%s: %s)', (language, lines, value) => {
    expect(createValueChecks(language).saysNumber(lines, value)).toBe(false)
    expect(createValueChecks(language).saysWords(lines, String(value))).toBe(false)
  })

  test.each([
    ['en', 'Row A1 has 1 seat.', 1],
    ['en', 'It costs $5, or USD5 abroad.', 5],
    ['en', 'It costs EUR250 abroad.', 250],
    ['en', 'It costs £30.', 30],
    ['en', 'Chapter (7) is short.', 7],
    ['en', 'It weighs 12kg.', 12],
    ['en', 'It was in the mid-1990s, in 1994.', 1994],
    ['hi', 'यह Rs500 में मिलता है।', 500],
    ['ja', '会員は3人です。', 3],
    ['ko', '약5명이 왔다.', 5],
    ['zh', '我们有8个人。', 8],
    ['th', 'มี5คน', 5],
    ['ar', 'و5 كتب', 5],
  ])('is said by itself, whatever is written around it (%s: %s)', (language, lines, value) => {
    expect(createValueChecks(language).saysNumber(lines, value)).toBe(true)
  })
})

import { jest } from '@jest/globals'
import { createNameCheck } from './names.ts'

describe('a check of names', () => {
  test('finds them in any text, in any form, and whichever names were looked for before', () => {
    const selectUnsaid = createNameCheck(['Ein Film von Müller', 'Sie traf Wellingtons Tochter.', 'في القاهرة'])
    expect(selectUnsaid(['Darwin', 'Muller', 'Darwin'])).toEqual(['Darwin', 'Darwin'])
    expect(selectUnsaid(['Wellington', 'Müllers', 'القاهرة'])).toEqual([])
    expect(selectUnsaid(['Tochter', 'Kairo', 'film'])).toEqual(['Kairo'])
    expect(selectUnsaid([])).toEqual([])
    expect(createNameCheck([])(['Darwin'])).toEqual(['Darwin'])
  })

  test('folds each text once, when it is first searched', () => {
    const folded = jest.spyOn(String.prototype, 'normalize')
    const countFolded = (text: string) => folded.mock.contexts.filter((context) => String(context) === text).length
    try {
      const texts = ['Tharp drew maps.', 'Heezen did not agree.', 'Cousteau had seen the valley.']
      const selectUnsaid = createNameCheck(texts)
      expect(selectUnsaid(['Tharp', 'Heezen'])).toEqual([])
      expect(texts.map(countFolded)).toEqual([1, 1, 0])
      for (let nth = 0; nth < 5; nth++) expect(selectUnsaid(['Darwin', 'Cousteau'])).toEqual(['Darwin'])
      expect(texts.map(countFolded)).toEqual([1, 1, 1])
    } finally {
      folded.mockRestore()
    }
  })

  test('reads of a hostile transcript no more than of a long one', () => {
    const folded = jest.spyOn(String.prototype, 'normalize')
    try {
      const selectUnsaid = createNameCheck([
        'Tharp drew maps.',
        ...Array.from({ length: 600 }, () => '\ufdfa'.repeat(9_500)),
      ])
      expect(selectUnsaid(['Tharp', 'Darwin'])).toEqual(['Darwin'])
      const length = folded.mock.results.reduce((sum, { value }) => sum + String(value).length, 0)
      expect(length).toBeLessThan(10e6)
    } finally {
      folded.mockRestore()
    }
  })
})

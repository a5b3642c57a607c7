import { newSource, newTalk } from '../testing/source.ts'
import { buildInstruction } from './instruction.ts'
import { measureMinutes, selectLengths } from './lengths.ts'

describe('the lengths of summaries', () => {
  test('grow with the video, within limits', () => {
    const all = [0, 1, 5, 15, 30, 60, 180, 6_000].map(selectLengths)
    for (const name of ['words', 'terms', 'questions', 'moments'] as const) {
      const values = all.map((lengths) => lengths[name])
      expect(values).toEqual(values.toSorted((a, b) => a - b))
    }
    expect(all[0]).toEqual({
      sentences: 'two',
      words: 150,
      terms: 3,
      questions: 3,
      moments: 4,
      takeaways: 'three or four',
    })
    expect(all.at(-1)).toEqual({
      sentences: 'three or four',
      words: 2_000,
      terms: 15,
      questions: 12,
      moments: 30,
      takeaways: 'six to eight',
    })
  })

  test('are part of the instructions', () => {
    const write = (minutes: number) =>
      buildInstruction(['study_notes', 'timestamped', 'detailed'], { language: 'en', focus: null, minutes })
    expect(write(60)).toContain('up to 13 words worth learning')
    expect(write(60)).toContain('questions: 11 to test oneself')
    expect(write(60)).toContain('about 23 moments')
    expect(write(60)).toContain('About 1150 words in all')
    expect(write(5)).not.toBe(write(60))
  })

  test('use the duration of the video, or the end of the last line', () => {
    const source = newSource(newTalk(15))
    expect(measureMinutes(source)).toBe(1)
    const unknown = { ...source, video: { ...source.video, duration_seconds: 0 } }
    expect(measureMinutes(unknown)).toBeCloseTo(0.998, 2)
    expect(measureMinutes({ ...unknown, cues: [] })).toBe(0)
  })
})

import { parseAnswer } from './check-answer.ts'

const point = (text: string, segment_ids: number[]) => ({ text, segment_ids })
const answer = (overview: unknown[], sections: unknown[] = []) => JSON.stringify({ overview, sections })

test('keeps texts and existing ids, each once and in order', () => {
  const text = answer([point('One.', [3, 1, 3, 99, 0, -2])], [{ heading: 'H', points: [point('Two.', [11])] }])
  expect(parseAnswer(text, 'detailed', 10)).toEqual({
    overview: [{ text: 'One.', segmentIds: [1, 3] }],
    sections: [{ heading: 'H', points: [{ text: 'Two.', segmentIds: [] }] }],
  })
})

test('texts and headings are made plain, empty points and sections are dropped', () => {
  const text = answer(
    [point('\u202E', [1]), point('<b>x</b> [y](http://z.example)', [1])],
    [
      { heading: '<i>H</i>', points: [point('p', [1])] },
      { heading: 'Nothing in it', points: [point(' ', [1])] },
    ],
  )
  expect(parseAnswer(text, 'key_insights', 10)).toEqual({
    overview: [{ text: '‹b›x‹/b› y', segmentIds: [1] }],
    sections: [{ heading: '‹i›H‹/i›', points: [{ text: 'p', segmentIds: [1] }] }],
  })
})

test('a tldr has no sections', () => {
  const text = answer([point('One.', [1])], [{ heading: 'H', points: [point('Two.', [1])] }])
  expect(parseAnswer(text, 'tldr', 10)?.sections).toEqual([])
})

test.each([
  ['no JSON', 'Here is your summary:', 'tldr'],
  ['half of the JSON', '{"overview":[{"text":"a"', 'tldr'],
  ['another shape', '{"summary":"a"}', 'tldr'],
  ['more than asked', JSON.stringify({ overview: [point('a', [1])], sections: [], html: '<p>' }), 'tldr'],
  ['ids that are no numbers', answer([{ text: 'a', segment_ids: ['1'] }]), 'tldr'],
  ['an empty tldr', answer([]), 'tldr'],
  ['a tldr of invisible text', answer([point('\u200B', [1])]), 'tldr'],
  ['no sections', answer([point('a', [1])]), 'detailed'],
  ['a section without a name', answer([], [{ heading: ' ', points: [point('a', [1])] }]), 'study_notes'],
  ['moments without any time', answer([], [{ heading: 'H', points: [point('a', [99])] }]), 'timestamped'],
] as const)('%s is no answer', (_, text, mode) => {
  expect(parseAnswer(text, mode, 10)).toBeNull()
})

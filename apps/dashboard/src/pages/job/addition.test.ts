import { changesText, describeDerived, toDerivation, toEstimate } from './addition.ts'

const SOURCE = { language: 'en', output_language: 'es', custom_instructions: 'Be brief.' }
const AS_BEFORE = { outputLanguage: 'es', instructions: ' Be brief. ' }

test('what stays as in the source is not sent', () => {
  expect(changesText(SOURCE, AS_BEFORE)).toBe(false)
  expect(toDerivation(SOURCE, { ...AS_BEFORE, chosen: ['tldr'], templates: [] })).toEqual({ summary_modes: ['tldr'] })
  expect(describeDerived(SOURCE, { ...AS_BEFORE, chosen: ['tldr'], templates: [] })).toEqual({
    ...SOURCE,
    summary_modes: ['tldr'],
  })
})

test('a language or instructions that are taken away are sent as null', () => {
  const addition = { outputLanguage: '', instructions: '', chosen: ['tldr' as const], templates: [] }
  expect(changesText(SOURCE, addition)).toBe(true)
  expect(toDerivation(SOURCE, addition)).toEqual({
    summary_modes: ['tldr'],
    output_language: null,
    custom_instructions: null,
  })
  expect(describeDerived(SOURCE, addition)).toEqual({ summary_modes: ['tldr'], language: 'en' })
})

test('an infographic alone leaves the summaries as they are', () => {
  const addition = {
    outputLanguage: 'de',
    instructions: 'Only the numbers.',
    chosen: ['infographic' as const],
    templates: [],
  }
  expect(toDerivation(SOURCE, addition)).toEqual({ generate_infographic: true })
  expect(toEstimate({ video_url: 'https://youtu.be/x' }, addition)).toEqual({
    url: 'https://youtu.be/x',
    options: { generate_infographic: true },
  })
})

test('the estimate is about the whole text that is written', () => {
  expect(toEstimate({ video_url: 'https://youtu.be/x' }, { ...AS_BEFORE, chosen: ['tldr'], templates: [] })).toEqual({
    url: 'https://youtu.be/x',
    options: { summary_modes: ['tldr'], output_language: 'es' },
    custom_instructions: 'Be brief.',
  })
})

test('templates alone leave the summaries as they are', () => {
  const addition = { ...AS_BEFORE, chosen: [], templates: ['quotes', 'minutes'] }
  expect(toDerivation(SOURCE, addition)).toEqual({ templates: ['quotes', 'minutes'] })
  expect(describeDerived(SOURCE, addition)).toEqual({ ...SOURCE, summary_modes: [], templates: ['quotes', 'minutes'] })
  expect(toEstimate({ video_url: 'https://youtu.be/x' }, addition)).toEqual({
    url: 'https://youtu.be/x',
    options: { summary_modes: [], templates: ['quotes', 'minutes'] },
  })
})

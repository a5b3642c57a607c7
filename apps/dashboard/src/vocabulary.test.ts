import type { Job } from '@subtext/sdk'
import { describeModes, describeRequest } from './vocabulary.ts'

const describe = (job: Partial<Job>) => describeModes({ summary_modes: [], ...job } as Job)

test('a job is named after its summaries in their order, and a derived job after what it adds', () => {
  expect(describe({ summary_modes: ['key_insights', 'tldr'] })).toBe('TL;DR, Key insights')
  expect(describe({})).toBe('Transcript only')
  expect(describe({ derived_from: 'job', summary_modes: ['detailed'] })).toBe('Added: Detailed')
  expect(describe({ derived_from: 'job', generate_infographic: true })).toBe('Added')
  expect(describe({ derived_from: 'job' })).toBe('')
})

test('a job of the release before, which does not say its modes, gets no name', () => {
  expect(describe({ summary_modes: undefined })).toBe('')
})

test('what was asked for is named in words, with the tags of languages that have no name', () => {
  const job = { language: 'en', output_language: 'zh-Hant', custom_instructions: 'Numbers.', client_reference: 'a-1' }
  expect(describeRequest({ ...job, generate_infographic: true } as Job)).toEqual([
    'Infographic',
    'in Traditional Chinese',
    'captions in English',
    '“Numbers.”',
    'a-1',
  ])
  expect(describeRequest({ output_language: 'qaa-x-own' } as Job)[0]).toMatch(/^in qaa/)
  expect(describeRequest({} as Job)).toEqual([])
})

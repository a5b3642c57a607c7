import { parsePlayerResponse } from '../video/player-response.ts'
import { classifyPlayability } from './classify-playability.ts'

const codeOf = (reason: string) =>
  classifyPlayability(parsePlayerResponse({ playabilityStatus: { status: 'UNPLAYABLE', reason } }))?.code

describe.each(['Premium Members', 'Private Country Rent Co.', 'Who Inc., A and B'])('a claim by %s', (name) => {
  test.each([
    ['VIDEO_UNAVAILABLE', `This video contains content from ${name}, who has blocked it on copyright grounds.`],
    ['VIDEO_UNAVAILABLE', `This video is no longer available due to a copyright claim by ${name}`],
    [
      'GEO_BLOCKED',
      `This video contains content from ${name}, who has blocked it in your country on copyright grounds`,
    ],
    ['GEO_BLOCKED', `This video contains content from ${name}. It is not available in your country.`],
  ])('is judged by the words of the platform as %s: %s', (code, reason) => {
    expect(codeOf(reason)).toBe(code)
  })
})

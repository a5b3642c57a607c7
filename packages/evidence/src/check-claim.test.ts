import { type ClaimCheck, checkClaim } from './check-claim.ts'
import { createScriptCheck } from './checks/script.ts'
import { buildNotesEvidence, buildTranscriptEvidence } from './evidence.ts'
import { createStemFinder } from './language/find-stems.ts'
import { createLeakGuard } from './shown/leak-guard.ts'

const cuesOf = (...texts: string[]) => texts.map((text, index) => ({ startMs: index * 5_000, durationMs: 5_000, text }))

/** Separates the subjects, so that their lines are not neighbors. */
const GAP = ['uh', 'well', 'so', 'um', 'right']
const TALKS: Record<string, string[]> = {
  en: ['Bees dance to show the way', 'to the best flowers nearby', ...GAP, 'Winters are long and cold here'],
  de: ['Der Bericht ist ein Tanz, den Karl', 'von Frisch entschlüsselt hat', ...GAP, 'Im Winter ruht das ganze Volk'],
  ja: ['ミツバチは踊りで花の場所を', '仲間に教えます', ...GAP, '冬はとても寒いです'],
  zh: ['蜜蜂用舞蹈告诉同伴', '花的方向和距离', ...GAP, '冬天非常寒冷'],
  ko: ['꿀벌은 춤으로 꽃의 위치를', '동료에게 알려 줍니다', ...GAP, '겨울은 몹시 춥습니다'],
  hi: ['मधुमक्खियाँ नाचकर फूलों की', 'दिशा साथियों को बताती हैं', ...GAP, 'सर्दियाँ बहुत ठंडी होती हैं'],
  th: ['ผึ้งเต้นรำเพื่อบอกทางไปหาดอกไม้', 'ที่อยู่ใกล้รัง', ...GAP, 'ฤดูหนาวหนาวมาก'],
}

const checkIn = (language: string, overrides: Partial<ClaimCheck> = {}): ClaimCheck => ({
  evidence: buildTranscriptEvidence(cuesOf(...(TALKS[language] ?? []))),
  findStems: createStemFinder(language),
  isLeak: () => false,
  isInScript: () => true,
  checks: [],
  ...overrides,
})
const check = (language: string, text: string, segmentIds: number[], overrides?: Partial<ClaimCheck>) =>
  checkClaim({ text, segmentIds }, checkIn(language, overrides))

test.each([
  ['en', 'By dancing, a bee shows where the best flower is.'],
  ['de', 'Frisch hat den Tanz der Bienen entschlüsselt.'],
  ['ja', '花の場所は踊りで仲間に伝えられる。'],
  ['zh', '同伴通过舞蹈知道花的方向。'],
  ['ko', '꽃의 위치를 춤으로 동료에게 알린다.'],
  ['hi', 'फूलों की दिशा नाचकर बताई जाती है।'],
  ['th', 'ผึ้งบอกทางไปดอกไม้ด้วยการเต้นรำ'],
])('%s: accepts a paraphrased claim where it was said, and nowhere else', (language, text) => {
  expect(check(language, text, [1, 2])).toEqual({
    point: { text, segmentIds: [1, 2] },
    citations: 2,
    supportedCitations: 2,
    isUnsupported: false,
  })
  // The last line is about another subject.
  expect(check(language, text, [8]).point).toBeNull()
  expect(check(language, text, [8]).isUnsupported).toBe(true)
})

test.each([
  ['no segment', []],
  ['a segment that does not exist', [99]],
  ['segments that cannot exist', [0, -1, 2 ** 40]],
])('rejects a claim that cites %s', (_, ids) => {
  const checked = check('en', 'Bees dance to show the way.', ids)
  expect(checked).toEqual({ point: null, citations: ids.length, supportedCitations: 0, isUnsupported: true })
})

test('drops citations that do not exist or are repeated, and sorts the others', () => {
  const checked = check('en', 'Bees dance to show the way.', [2, 99, 1, 2])
  expect(checked.point?.segmentIds).toEqual([1, 2])
  expect(checked).toMatchObject({ citations: 3, supportedCitations: 1, isUnsupported: false })
})

test('rejects a claim that shares too few words', () => {
  const text = 'Bees collect nectar, store honey, guard the hive, raise larvae and follow one queen.'
  expect(check('en', text, [1])).toEqual({
    point: null,
    citations: 1,
    supportedCitations: 0,
    isUnsupported: true,
  })
})

test('does not accept one spoken line as support for a long claim that begins with it', () => {
  const line = 'Bees dance to show the way to the best flowers nearby.'
  const others = Array.from({ length: 120 }, (_, index) => `z${index}`).join(' ')
  expect(check('en', line, [1]).isUnsupported).toBe(false)
  expect(check('en', `${line} ${others}`, [1])).toMatchObject({ isUnsupported: true, point: null })
})

test('rejects encoded text', () => {
  const code = Buffer.from('You summarize videos from their transcripts for people.').toString('base64')
  expect(check('en', `Bees dance to show the way. ${code}`, [1]).point).toBeNull()
})

test('checks only the citations of a claim in another language than the transcript', () => {
  const translated = check('en', 'Bienen tanzen.', [1], { findStems: null })
  expect(translated.point).toEqual({ text: 'Bienen tanzen.', segmentIds: [1] })
  expect(check('en', 'Bienen tanzen.', [1], { findStems: null, isInScript: createScriptCheck('ru') }).point).toBeNull()
})

test('rejects words of our own prompt, whatever punctuation is between them', () => {
  const isLeak = createLeakGuard(['Everything in the document was written or spoken by strangers.'])
  const leak = 'Bees dance: "everything in the *document* was - written or spoken" to show the way'
  expect(check('en', leak, [1], { isLeak }).point).toBeNull()
  expect(check('en', 'Bees dance to show the way.', [1], { isLeak }).point).not.toBeNull()
})

test('resolves a claim that cites notes to the segments of the notes', () => {
  const cues = cuesOf(...(TALKS.en ?? []))
  const notes = [
    { text: 'A waggle tells the direction.', segmentIds: [1, 2] },
    { text: 'The cold lasts for months.', segmentIds: [8] },
  ]
  const evidence = buildNotesEvidence(cues, notes)
  expect(check('en', 'The waggle gives the direction.', [1], { evidence }).point?.segmentIds).toEqual([1, 2])
  expect(check('en', 'Cold winters last for months.', [2], { evidence }).point?.segmentIds).toEqual([8])
  expect(check('en', 'The waggle gives the direction.', [3], { evidence }).point).toBeNull()
})

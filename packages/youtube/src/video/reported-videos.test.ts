import { selectRequestedTrack } from '@subtext/captions'
import { listReportedCases, readReportedJson } from '@subtext/captions/testing'
import { listPlatformTracks, selectSpokenLanguage } from './caption-tracks.ts'
import { parseChapters } from './chapters.ts'
import { parsePlayerResponse } from './player-response.ts'

interface ExpectedTrack {
  key: string
  reason?: string
  warnings?: string[]
}

test.each(listReportedCases<ExpectedTrack>('select'))('the right track is selected: %s', (_, one) => {
  const response = parsePlayerResponse(readReportedJson(one))
  const video = { info: { language: selectSpokenLanguage(response) }, tracks: [...listPlatformTracks(response)] }
  const { track, selectionReason, warnings } = selectRequestedTrack(one.options ?? {}, video)
  const { key, reason = selectionReason, warnings: codes = [] } = one.expected
  expect({ key: track.key, reason: selectionReason }).toEqual({ key, reason })
  expect(warnings.map(({ code }) => code)).toEqual(expect.arrayContaining(codes))
})

interface ExpectedChapters {
  starts?: number[]
  starts_include?: number[]
  titles?: string[]
}

test.each(listReportedCases<ExpectedChapters>('chapters'))('the chapters of a description are found: %s', (_, one) => {
  const { description, duration } = readReportedJson<{ description: string; duration: number }>(one)
  const chapters = parseChapters(description, duration)
  const starts = chapters.map(({ start }) => start)
  const titles = chapters.map(({ title }) => title)
  expect(starts).toEqual(one.expected.starts ?? starts)
  expect(starts).toEqual(expect.arrayContaining(one.expected.starts_include ?? []))
  expect(titles).toEqual(one.expected.titles ?? titles)
})

import { cleanLine } from '@subtext/captions'

/** For text with single spaces. */
const OWN_TAG =
  /<(?= ?\/? ?(?:video|title|channel|description|language|published|duration|transcript|notes|passages|before|chapter|focus)\b)/giu
const OWN_SEGMENT_MARK = /\[(\d+)\]/g

/** Escapes what could be taken for a tag or a segment number of the prompt, and returns the text as one line. */
export const escapeLine = (text: string): string =>
  cleanLine(text).replace(OWN_TAG, '‹').replace(OWN_SEGMENT_MARK, '($1)')

import type { SampleListEntry, SampleVideo } from '@subtext/fakes'

/** Returns a sample video as a playlist or a channel shows it. */
export const listEntryOf = ({ id, title, lengthSeconds, published }: SampleVideo): SampleListEntry => ({
  id,
  title,
  seconds: lengthSeconds,
  published,
})

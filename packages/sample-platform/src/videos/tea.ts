import type { SampleTrack } from '../sample-video.ts'
import { timeTalk } from '../talk.ts'

/** A short text for videos that are there for how requests for them are answered, not for what they say. */
export const TEA = timeTalk(
  [
    {
      title: 'Tea',
      lines: [
        'Let us make one good cup of tea.',
        'Fresh water matters, because water that has boiled for a long time tastes flat.',
        'Warm the pot first, so that the leaves meet hot water and not cold china.',
        'Use about two grams of leaves for each cup.',
        'Black tea wants water that is just off the boil.',
        'Green tea wants less: about eighty degrees, or it turns bitter.',
        'Pour, cover the pot, and wait for three to four minutes.',
        'In that time, caffeine comes out first and tannins come out later.',
        'That is why a short brew wakes you up, and a long one dries your mouth.',
        'Take the leaves out when it tastes right, not when the clock says so.',
        'Milk softens the tannins by binding to them.',
        'Sit down, and drink it while it is hot.',
      ],
    },
  ],
  15,
)

export const TEA_TRACKS: readonly [manual: SampleTrack, auto: SampleTrack] = [
  { language: 'en', kind: 'manual', name: 'English', cues: () => TEA.cues },
  { language: 'en', kind: 'auto', name: 'English (auto-generated)', cues: () => TEA.cues },
]

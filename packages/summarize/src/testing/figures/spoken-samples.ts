import { SAMPLE_TALKS } from '@subtext/fakes'
import { REFERENCES } from '../reference-summaries.ts'
import type { SpokenDocument } from './spoken-document.ts'

/** Our own sample talks, under the license of this repository, each with a summary by a person. */
export const SPOKEN_SAMPLES: (SpokenDocument & { talk: string })[] = Object.entries(REFERENCES).map(
  ([name, reference]) => {
    const [talk = '', language = ''] = name.split(' ')
    const { title, tracks } = SAMPLE_TALKS[talk as keyof typeof SAMPLE_TALKS]
    const cues = [...(tracks.find((track) => track.language === language)?.cues() ?? [])]
    return { talk, language, title, paragraphs: cues.map(({ text }) => text), references: [reference] }
  },
)

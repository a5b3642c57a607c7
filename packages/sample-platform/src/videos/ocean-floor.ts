import type { SampleVideo } from '../sample-video.ts'
import { alignLines, timeTalk } from '../talk.ts'
import { OCEAN_FLOOR_GERMAN } from './ocean-floor-german.ts'

const talk = timeTalk(
  [
    {
      title: 'A map nobody had',
      lines: [
        'In 1950, we had better maps of the Moon than of the bottom of our own ocean.',
        'Most people, and many scientists, imagined a flat plain of mud down there.',
        'This is the story of the woman who drew what was really there.',
        'Her name was Marie Tharp, and she never saw the sea floor she mapped.',
      ],
    },
    {
      title: 'A geologist at a drafting table',
      lines: [
        'Tharp was born in Michigan in 1920. Her father drew soil maps for the government.',
        'She followed him into the field as a child, and learned to read the color of the ground.',
        'During the war, geology departments were short of men, so they let women in.',
        'She took a degree in geology, worked for an oil company, and added one in mathematics.',
        'In 1948 she came to New York, to what became the Lamont Geological Observatory.',
        'They hired her to draft for the others. That was the work on offer.',
        'Soon she worked for one man in particular: Bruce Heezen.',
        'He went to sea and collected soundings. She was not allowed on the ship.',
        'For years, women were considered bad luck on board.',
      ],
    },
    {
      title: 'Turning pings into a profile',
      lines: [
        'A sounding is a simple thing. The ship sends a ping straight down and waits for the echo.',
        'Sound moves through sea water at about fifteen hundred meters per second.',
        'So if the echo takes four seconds, the floor is about three thousand meters below you.',
        'Do that all the way across an ocean, and you get a long line of numbers.',
        'Tharp had thousands of these numbers, on paper rolls, from many ships.',
        'She plotted them by hand into six profiles across the North Atlantic.',
        'Then she laid the six profiles one above the other.',
      ],
    },
    {
      title: 'The valley in the ridge',
      lines: [
        'Everyone knew there was a ridge in the middle. Telegraph engineers had found it.',
        'But Tharp saw something else. In each profile, the ridge had a notch at its top.',
        'A deep valley, shaped like a V, and it lined up from one profile to the next.',
        'She knew what such a valley means on land. It means the ground is being pulled apart.',
        'If that was true under the Atlantic, then continents move.',
        'In 1952, continental drift was close to a forbidden idea in American geology.',
        'When she showed Heezen, he groaned, and called it girl talk.',
        'It took her the better part of a year to convince him.',
      ],
    },
    {
      title: 'The earthquakes agree',
      lines: [
        'The proof came from the next desk.',
        'Howard Foster, hired to plot earthquakes, was working at the same scale.',
        'His dots and her valley were laid over each other on a light table.',
        'The earthquakes sat inside the valley, all the way down the ocean.',
        'So she could follow the rift even where no ship had ever sailed.',
        'Follow the earthquakes, and the ridge runs on around the whole planet.',
        'It is about sixty-five thousand kilometers long: the largest feature on Earth.',
      ],
    },
    {
      title: 'Convincing the world',
      lines: [
        'Not everybody was pleased. Jacques Cousteau set out to prove them wrong.',
        'He towed a camera across the ridge, close to the bottom, and filmed it.',
        'In 1959 he showed the film at a congress in New York. The valley was there.',
        'Exact depths were a military secret in those years, so contour maps could not be printed.',
        'Tharp drew the floor as a landscape instead, as if the water had been drained away.',
        'The secrecy made the map better. Anyone could understand it at a glance.',
        'In 1977 the whole world ocean was finished, painted by the Austrian artist Heinrich Berann.',
      ],
    },
    {
      title: 'What to take home',
      lines: [
        'Three things are worth remembering from her work.',
        'First, she laid the lines side by side. The pattern was invisible in any single one.',
        'Second, she trusted the data, even when it pointed at an unpopular theory.',
        'Third, she checked it with a data set that had nothing to do with hers.',
        'Late in life she said she had a blank canvas to fill with extraordinary possibilities.',
        'It was once in a lifetime, she said. Once in the history of the world.',
        'Thank you for listening.',
      ],
    },
  ],
  15,
)

const BRITISH: Readonly<Record<string, string>> = {
  color: 'colour',
  meters: 'metres',
  kilometers: 'kilometres',
}
const british = talk.cues.map((cue) => cue.text.replace(/\w+/g, (word) => BRITISH[word] ?? word))

export const OCEAN_FLOOR: SampleVideo = {
  id: 'sbtx-en-map',
  title: 'The Woman Who Drew the Ocean Floor',
  language: 'en',
  purpose: 'English talk with chapters: manual tracks in two English variants and German, and an auto-generated one',
  author: 'Subtext Sample Lectures',
  channelId: 'UCsubtextSampleLectures0',
  description: `How Marie Tharp found the rift valley of the Mid-Atlantic Ridge with paper, ink and other people's echoes.\n\nChapters:\n${talk.chapterList}\n\nWritten for demonstrations. No ocean was drained.`,
  lengthSeconds: talk.lengthSeconds,
  published: '2026-03-14T15:00:00-00:00',
  viewCount: 48_211,
  tracks: [
    { language: 'en', kind: 'manual', name: 'English', cues: () => talk.cues },
    { language: 'en', kind: 'auto', name: 'English (auto-generated)', cues: () => talk.cues },
    {
      language: 'en-GB',
      kind: 'manual',
      name: 'English (United Kingdom)',
      cues: () => alignLines(talk.cues, british),
    },
    { language: 'de', kind: 'manual', name: 'German', cues: () => alignLines(talk.cues, OCEAN_FLOOR_GERMAN) },
  ],
  comments: [
    {
      author: '@saltwater-sam',
      text: 'I studied geology for four years and nobody told me her name.',
      likes: 412,
      published: '5 months ago',
    },
    {
      author: '@contourlines',
      text: 'The part where the earthquakes land inside the valley gave me goosebumps.',
      likes: 188,
      published: '5 months ago',
    },
    {
      author: '@pingpong_1500',
      text: 'Small note: sound speed changes with temperature and salt, so 1500 m/s is an average.',
      likes: 97,
      published: '4 months ago',
    },
    {
      author: '@librarian.of.atlantis',
      text: 'We have the 1977 Berann painting on our wall. Visitors always stop there.',
      likes: 61,
      published: '4 months ago',
    },
    { author: '@ridge_runner', text: '2:10 is where it gets really good.', likes: 33, published: '3 months ago' },
    { author: '@drifter', text: 'Wegener would have loved to see this.', likes: 12, published: '3 months ago' },
    {
      author: '@new_here',
      text: 'Watching this for school. Thank you for the captions!',
      likes: 0,
      published: '2 days ago',
    },
  ],
}

import { z } from 'zod'
import { JOB_ID, VIDEO_URL } from './examples/meta.ts'

interface SharedFields {
  /** Media type without parameters; `contentType` adds the charset. */
  mediaType: string
  /** Extension of the file in which the result is saved, without the dot. */
  extension: string
  /** What people call it, in menus. */
  name: string
  /** Completes "the result as ..." in the OpenAPI document and in the guide. */
  description: string
  /** Whether it holds nothing but the transcript. Default: false. */
  isTranscript?: boolean
  /** Its name on the command line. Default: the extension. */
  commandName?: string
}

/** JSON within the envelope of every other endpoint. */
interface EnvelopedFormat extends SharedFields {
  enveloped: true
}

/** A document without the envelope. */
interface DocumentFields extends SharedFields {
  enveloped: false
  /** For the OpenAPI document: the result of the other examples in this format, shortened where it is long. */
  example: string
}

const TITLE = 'Rivers and the sea'
const SUMMARY = 'Rivers follow the slope from the rain to the sea. What they carry builds the coast.'
const AUTHOR = 'Written by claude-haiku-5-5.'
const TRANSCRIPT = 'Rain falls on the hills. Rivers flow. They end in the sea.'
const FACTS = '- Duration: 0:09\n- Published: 2025-05-06\n- Language: en (written captions)'

/**
 * Every form of a result, by its value of `?format=`; `default` is the one without it. To add a format, add an entry here
 * and its renderer to `RENDERERS` in `@subtext/render`, then run `npm run generate`. The command line and the
 * dashboard then offer it; on the command line, a document is named by its extension.
 */
export const FORMATS = {
  default: {
    mediaType: 'application/json',
    enveloped: true,
    extension: 'json',
    name: 'JSON',
    description: 'the envelope; every text is Markdown, `transcript.text` is the whole transcript',
  },
  json: {
    mediaType: 'application/json',
    enveloped: true,
    extension: 'json',
    name: 'JSON',
    description: 'the envelope, structured: `transcript.segments[]` with times, summaries with `citations[]`',
  },
  markdown: {
    mediaType: 'text/markdown',
    enveloped: false,
    extension: 'md',
    name: 'Markdown',
    description:
      'a Markdown document: title, contents, summaries with a link to the video after each claim, transcript',
    example: `# ${TITLE}

- Channel: Field notes
- URL: <${VIDEO_URL}>
${FACTS}

## Contents

- [Summary](#summary)
  - [TL;DR](#tldr)
- [Chapters](#chapters)
- [Transcript](#transcript)

## Summary

*${AUTHOR}*

### TL;DR

${SUMMARY} [0:03](${VIDEO_URL}&t=3s)

## Chapters

- [0:00](${VIDEO_URL}&t=0s) Rain

## Transcript

${TRANSCRIPT}
`,
  },
  text: {
    mediaType: 'text/plain',
    enveloped: false,
    extension: 'txt',
    name: 'Plain text',
    description: 'the same document as plain text, without links',
    example: `${TITLE}
==================

- Channel: Field notes
- URL: ${VIDEO_URL}
${FACTS}

Summary
-------

${AUTHOR}

TL;DR

${SUMMARY}

Chapters
--------

- 0:00 Rain

Transcript
----------

${TRANSCRIPT}
`,
  },
  html: {
    mediaType: 'text/html',
    enveloped: false,
    extension: 'html',
    name: 'Web page',
    description:
      'the same document as a web page without scripts, in which every claim also leads to its line of the transcript',
    example: `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
...
<h3 id="tldr">TL;DR</h3>
<p>${SUMMARY} <span class="c"><a href="#s2">0:03</a><a href="${VIDEO_URL}&amp;t=3s" aria-label="Video 0:03">▸</a></span></p>
<h2 id="chapters">Chapters</h2>
<ul>
<li><a class="t" href="${VIDEO_URL}&amp;t=0s">0:00</a> Rain</li>
</ul>
<h2 id="transcript">Transcript</h2>
<section lang="en">
<h3>Rain</h3>
<p><a class="t" href="${VIDEO_URL}&amp;t=0s">0:00</a> Rain falls on the hills. <span id="s2">Rivers flow.</span> They end in the sea.</p>
</section>
</main>
</body>
</html>
`,
  },
  csv: {
    mediaType: 'text/csv',
    enveloped: false,
    extension: 'csv',
    name: 'CSV',
    isTranscript: true,
    description: 'the transcript as a table: `start,end,text` in seconds, one row per caption',
    example:
      'start,end,text\r\n"0","3","Rain falls on the hills."\r\n"3","6","Rivers flow."\r\n"6","9","They end in the sea."\r\n',
  },
  srt: {
    mediaType: 'application/x-subrip',
    enveloped: false,
    extension: 'srt',
    name: 'Subtitles, SubRip',
    isTranscript: true,
    description: 'the transcript as SubRip subtitles',
    example: `1
00:00:00,000 --> 00:00:03,000
Rain falls on the hills.

2
00:00:03,000 --> 00:00:06,000
Rivers flow.

3
00:00:06,000 --> 00:00:09,000
They end in the sea.

`,
  },
  vtt: {
    mediaType: 'text/vtt',
    enveloped: false,
    extension: 'vtt',
    name: 'Subtitles, WebVTT',
    isTranscript: true,
    description: 'the transcript as WebVTT subtitles',
    example: `WEBVTT Language: en

1
00:00:00.000 --> 00:00:03.000
Rain falls on the hills.

2
00:00:03.000 --> 00:00:06.000
Rivers flow.

3
00:00:06.000 --> 00:00:09.000
They end in the sea.

`,
  },
  obsidian: {
    // Accepted as a media type, it is the document without properties.
    mediaType: 'text/markdown',
    enveloped: false,
    extension: 'md',
    commandName: 'obsidian',
    name: 'Obsidian note',
    description:
      'a Markdown note with properties (YAML front matter), in which every claim also leads to its paragraph of the transcript by a block ID',
    example: `---
job_id: "${JOB_ID}"
video_id: "dQw4w9WgXcQ"
...
[0:03](${VIDEO_URL}&t=3s) Rivers flow. They end in the sea. ^s2
`,
  },
  chunks: {
    mediaType: 'application/x-ndjson',
    enveloped: false,
    extension: 'ndjson',
    commandName: 'chunks',
    name: 'Passages for search',
    isTranscript: true,
    description:
      'the transcript in passages of about 120 words for a search index, one per line of JSON: `id`, `text`, `start` and `end` in seconds, `url` of the moment, `title`, `chapter`, `speaker` and `language`',
    example: `{"id":"${JOB_ID}:1-3","text":"${TRANSCRIPT}","start":0,"end":9,"url":"${VIDEO_URL}&t=0s","title":"${TITLE}","chapter":"Rain","language":"en"}
`,
  },
} as const satisfies Record<string, EnvelopedFormat | DocumentFields>

export type Format = keyof typeof FORMATS

const isNamed = (format: string): format is ResultFormat => format !== 'default'

/** The values of `?format=`. */
export const RESULT_FORMATS = Object.keys(FORMATS).filter(isNamed)
export const ResultFormat = z.enum(RESULT_FORMATS).meta({ id: 'ResultFormat' })
export type ResultFormat = Exclude<Format, 'default'>

/** Flash cards as a table for Anki: a form of a part of the result. */
export const ANKI = 'anki'
export const RequestedFormat = z.enum([...RESULT_FORMATS, ANKI]).meta({ id: 'RequestedFormat' })
export type RequestedFormat = z.infer<typeof RequestedFormat>

/** The formats that are documents. */
export const DOCUMENTS = Object.values(FORMATS).filter((format) => !format.enveloped)
export type DocumentFormat = {
  [F in ResultFormat]: (typeof FORMATS)[F]['enveloped'] extends false ? F : never
}[ResultFormat]
const isDocument = (format: ResultFormat): format is DocumentFormat => !FORMATS[format].enveloped
export const DOCUMENT_FORMATS = RESULT_FORMATS.filter(isDocument)
export const DocumentFormat = z.enum(DOCUMENT_FORMATS).meta({ id: 'DocumentFormat' })

/** Whether a format holds nothing but the transcript. */
export const isTranscript = (format: Format): boolean => {
  const { isTranscript = false }: SharedFields = FORMATS[format]
  return isTranscript
}

/** Returns the name of a format on the command line. */
export const commandNameOf = (format: Format): string => {
  const { extension, commandName = extension }: SharedFields = FORMATS[format]
  return commandName
}

/** The media types of documents. */
export const DOCUMENT_MEDIA_TYPES = [...new Set(DOCUMENTS.map(({ mediaType }) => mediaType))]

/**
 * The format that `Accept` selects by its media type: the first one in the table. JSON without `?format=json` is the default
 * format.
 */
export const FORMAT_OF_MEDIA_TYPE: ReadonlyMap<string, Format> = new Map([
  ['application/json', 'default'],
  ...DOCUMENT_MEDIA_TYPES.map((mediaType): [string, Format] => [
    mediaType,
    DOCUMENT_FORMATS.find((format) => FORMATS[format].mediaType === mediaType) ?? 'default',
  ]),
])

/** Returns the value of `Content-Type` for a media type. All texts of the service are UTF-8. */
export const contentType = (mediaType: string): string => `${mediaType}; charset=utf-8`

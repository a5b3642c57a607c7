import { cleanLine, cleanParagraphs } from '@subtext/captions'
import { SaxesParser } from 'saxes'
import { SourceGoneError } from '../listing.ts'
import { createFeedNames } from './feed-names.ts'
import { readDuration, readTime, toHttpUrl } from './feed-values.ts'
import { type NamedTranscript, rankTranscripts } from './transcripts.ts'

/** An item of a feed that is an episode: it has an enclosure or a transcript. */
export interface FeedEpisode {
  guid: string | null
  title: string
  description: string
  enclosure: string | null
  /** Its page. */
  link: string | null
  publishedAt: string | null
  durationSeconds: number | null
  transcripts: NamedTranscript[]
}

export interface PodcastFeed {
  title: string | null
  /** BCP-47, as far as the feed says it. */
  language: string | null
  episodes: FeedEpisode[]
  /** The address of the next page of a feed that has pages. */
  next: string | null
}

const MAX_TITLE = 500
const MAX_DESCRIPTION = 2_000
const MAX_TEXT = 20_000
/** More items than are ever kept. */
const MAX_ITEMS = 20_000
const MAX_DEPTH = 200

interface Draft {
  texts: Map<string, string>
  enclosure: string | null
  link: string | null
  transcripts: NamedTranscript[]
}

const newDraft = (): Draft => ({ texts: new Map(), enclosure: null, link: null, transcripts: [] })

const ROOTS = new Set(['rss', 'rdf:RDF', 'atom:feed', 'feed'])
const ITEMS = new Set(['item', 'atom:entry', 'entry'])
const HEADS = new Set(['channel', 'atom:feed', 'feed'])
const KEPT_TEXTS = new Set([
  ...['title', 'itunes:title', 'atom:title', 'guid', 'atom:id', 'id', 'link', 'pubDate', 'dc:date', 'atom:published'],
  ...[
    'published',
    'atom:updated',
    'updated',
    'itunes:duration',
    'description',
    'itunes:summary',
    'atom:summary',
    'summary',
  ],
  ...['language', 'dc:language'],
])
/** Errors of a feed that a reader can get over. Anything else may mean that it broke off. */
const HARMLESS = /undefined entity|disallowed character\.$|malformed character entity|must not contain/i

const firstText = ({ texts }: Draft, ...names: string[]): string | null =>
  names.map((name) => texts.get(name)?.trim()).find((text) => text !== undefined && text !== '') ?? null

const clean = (text: string, length: number): string => cleanLine(text.replaceAll('\uFFFD', ''), length)

/** Descriptions contain HTML. */
const withoutTags = (text: string): string => text.replace(/<[^<>]{0,1000}>/g, ' ')

function toEpisode(draft: Draft, base: string): FeedEpisode | null {
  const transcripts = rankTranscripts(
    draft.transcripts.flatMap((transcript) => {
      const url = toHttpUrl(transcript.url, base)
      return url === null ? [] : [{ ...transcript, url }]
    }),
  )
  const enclosure = draft.enclosure === null ? null : toHttpUrl(draft.enclosure, base)
  if (enclosure === null && transcripts.length === 0) return null
  const link = firstText(draft, 'link') ?? draft.link
  const description = firstText(draft, 'itunes:summary', 'description', 'atom:summary', 'summary') ?? ''
  return {
    guid: firstText(draft, 'guid', 'atom:id', 'id')?.slice(0, MAX_TITLE) ?? null,
    title: clean(firstText(draft, 'title', 'atom:title', 'itunes:title') ?? '', MAX_TITLE),
    description: cleanParagraphs(withoutTags(description).replaceAll('\uFFFD', ''), MAX_DESCRIPTION),
    enclosure,
    link: link === null ? null : toHttpUrl(link, base),
    publishedAt: readTime(
      firstText(draft, 'pubDate', 'dc:date', 'atom:published', 'published', 'atom:updated', 'updated'),
    ),
    durationSeconds: readDuration(firstText(draft, 'itunes:duration')),
    transcripts,
  }
}

/** The state of reading one feed. */
class FeedReader {
  readonly #names = createFeedNames()
  readonly #path: string[] = []
  readonly #base: string
  readonly #head = newDraft()
  #item: Draft | null = null
  #text = ''
  #next: string | null = null
  readonly #episodes: FeedEpisode[] = []
  #items = 0

  constructor(base: string) {
    this.#base = base
  }

  open(tag: string, attributes: Record<string, string>): void {
    const name = this.#names.enter(tag, attributes)
    if (this.#path.length === 0 && !ROOTS.has(name)) throw new SourceGoneError('not_a_feed')
    if (this.#path.length > MAX_DEPTH) throw new SourceGoneError('not_a_feed')
    if (ITEMS.has(name) && this.#item === null) this.#item = newDraft()
    else if (this.#isDirect()) this.#read(name, attributes)
    this.#path.push(name)
    this.#text = ''
  }

  text(text: string): void {
    if (this.#text.length < MAX_TEXT) this.#text += text
  }

  close(): void {
    this.#names.leave()
    const name = this.#path.pop() ?? ''
    const isItem = ITEMS.has(name) && this.#item !== null && !this.#path.some((each) => ITEMS.has(each))
    if (isItem && this.#item) {
      this.#items++
      const episode = this.#items <= MAX_ITEMS ? toEpisode(this.#item, this.#base) : null
      if (episode) this.#episodes.push(episode)
      this.#item = null
    } else if (this.#isDirect() && KEPT_TEXTS.has(name)) {
      const { texts } = this.#item ?? this.#head
      if (!texts.has(name) || texts.get(name) === '') texts.set(name, this.#text)
    }
    this.#text = ''
  }

  finish(): PodcastFeed {
    const language = firstText(this.#head, 'language', 'dc:language')
    const title = firstText(this.#head, 'title', 'atom:title', 'itunes:title')
    return {
      title: title === null ? null : clean(title, MAX_TITLE) || null,
      language,
      episodes: this.#episodes,
      next: this.#next === null ? null : toHttpUrl(this.#next, this.#base),
    }
  }

  /** Whether the current element is an item or the head of the feed, so that what is in it is about it. */
  #isDirect(): boolean {
    const around = this.#path.at(-1) ?? ''
    return this.#item === null ? HEADS.has(around) : ITEMS.has(around)
  }

  #read(name: string, attributes: Record<string, string>): void {
    const { url, href, type = '', rel = 'alternate', language } = attributes
    const item = this.#item
    if (name === 'atom:link' || name === 'link') {
      if (rel === 'next' && item === null) this.#next ??= href ?? null
      else if (rel === 'enclosure' && item) item.enclosure ??= href ?? null
      else if (rel === 'alternate' && item) item.link ??= href ?? null
    } else if (item && name === 'enclosure') item.enclosure ??= url?.trim() || null
    else if (item && name === 'podcast:transcript' && url)
      item.transcripts.push({ url, type: type.trim(), language: language ?? null, rel: attributes.rel ?? null })
  }
}

/** Characters that are parsed between two looks at other work. */
const SLICE_BYTES = 256 * 1024

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export interface FeedDocument {
  body: Uint8Array
  decoder: TextDecoder
  /** The address that relative ones in it start at. */
  base: string
}

/**
 * Reads a feed of RSS, RDF or Atom in turns. Entities of a DTD are never expanded: a document that defines any is refused, as is
 * one that is not well-formed. Rejects with `SourceGoneError`.
 */
export async function readPodcastFeed({ body, decoder, base }: FeedDocument): Promise<PodcastFeed> {
  const reader = new FeedReader(base)
  const parser = new SaxesParser({ xmlns: false, position: false })
  let hasRoot = false
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY/i.test(doctype)) throw new SourceGoneError('not_a_feed')
  })
  parser.on('opentag', ({ name, attributes }) => {
    hasRoot = true
    reader.open(name, attributes)
  })
  parser.on('closetag', () => reader.close())
  parser.on('text', (text) => reader.text(text))
  parser.on('cdata', (text) => reader.text(text))
  parser.on('error', (error) => {
    if (!HARMLESS.test(error.message)) throw new SourceGoneError('not_a_feed')
  })
  let isFirst = true
  for (let at = 0; at < body.length; at += SLICE_BYTES) {
    const slice = body.subarray(at, at + SLICE_BYTES)
    const text = decoder.decode(slice, { stream: at + SLICE_BYTES < body.length })
    // Some servers send blank lines first, which XML does not allow.
    parser.write(isFirst ? text.replace(/^[\s\uFEFF]+/, '') : text)
    isFirst = false
    await nextTurn()
  }
  parser.close()
  if (!hasRoot) throw new SourceGoneError('not_a_feed')
  return reader.finish()
}

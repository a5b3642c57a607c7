import { at, listAt, stringAt, textAt } from '../json.ts'
import { type ListEntry, readEntry } from './read-entry.ts'

/** What one answer of the platform shows of a list. */
export interface ListPage {
  entries: ListEntry[]
  /** The token that brings the next part of this list. Null if there is none. */
  next: string | null
  /** Whether the answer has the list, which may be empty. */
  hasList: boolean
  title: string | null
  /** The name of the channel that a playlist belongs to. */
  owner: string | null
  /** Number of videos that the platform says the list has. */
  total: number | null
  /** Texts of alerts that take the place of the list. */
  errors: string[]
  /** The channel ID of a page about a channel. */
  channelId: string | null
  isAgeGated: boolean
  /** ID of the page to which the platform leads instead. */
  redirect: string | null
  /** Whether it is a mix, which never ends. */
  isEndless: boolean
  /** Status of an answer that is an error. */
  status: number | null
}

/** Containers of entries, by the names of their lists. */
const CONTAINERS: Record<string, string[]> = {
  richGridRenderer: ['contents'],
  gridRenderer: ['items'],
  playlistVideoListRenderer: ['contents'],
  horizontalListRenderer: ['items'],
  expandedShelfContentsRenderer: ['items'],
  verticalListRenderer: ['items'],
  richShelfRenderer: ['contents'],
  reelShelfRenderer: ['items'],
  itemSectionRenderer: ['contents'],
  sectionListRenderer: ['contents'],
  shelfRenderer: ['content'],
  richSectionRenderer: ['content'],
  richItemRenderer: ['content'],
}

const tokenOf = (item: unknown): string | null => {
  const renderer = at(item, 'continuationItemRenderer')
  if (renderer === undefined) return null
  for (const endpoint of [at(renderer, 'continuationEndpoint'), at(renderer, 'button', 'buttonRenderer', 'command')]) {
    const direct = stringAt(endpoint, 'continuationCommand', 'token')
    if (direct !== null) return direct
    for (const command of listAt(endpoint, 'commandExecutorCommand', 'commands')) {
      const token = stringAt(command, 'continuationCommand', 'token')
      if (token !== null) return token
    }
  }
  return null
}

interface Found {
  entries: ListEntry[]
  tokens: string[]
}

/**
 * Collects the entries below a list of items, and the continuations that bring more of them: those that stand beside entries. One
 * that stands beside whole sections belongs to the list only if the sections hold nothing but single entries, as in a search.
 */
function collect(items: readonly unknown[], found: Found): { hasOwn: boolean; isNested: boolean } {
  let hasOwn = false
  let isNested = false
  const tokens: string[] = []
  for (const item of items) {
    const token = tokenOf(item)
    if (token !== null) tokens.push(token)
    const entry = readEntry(item)
    if (entry) {
      found.entries.push(entry)
      hasOwn = true
      continue
    }
    if (typeof item !== 'object' || item === null) continue
    for (const [name, renderer] of Object.entries(item)) {
      for (const list of CONTAINERS[name] ?? []) {
        const content = at(renderer, list)
        const inner = collect(Array.isArray(content) ? content : [content], found)
        if (name === 'richItemRenderer' || (name === 'itemSectionRenderer' && inner.hasOwn)) hasOwn ||= inner.hasOwn
        else isNested ||= inner.hasOwn || inner.isNested
        if (name === 'itemSectionRenderer') isNested ||= inner.isNested
      }
    }
  }
  if (hasOwn || (found.entries.length === 0 && !isNested)) found.tokens.push(...tokens)
  return { hasOwn, isNested }
}

/** The selected tab of a page, which holds the main list. */
function findTab(body: unknown): unknown {
  const tabs = listAt(body, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs').map(
    (tab) => at(tab, 'tabRenderer') ?? at(tab, 'expandableTabRenderer'),
  )
  return tabs.find((tab) => at(tab, 'selected') === true) ?? null
}

/** Items of the parts that were asked for by a continuation; null if the answer has none. */
function findAppended(body: unknown): unknown[] | null {
  const actions = [...listAt(body, 'onResponseReceivedActions'), ...listAt(body, 'onResponseReceivedEndpoints')]
  const lists = actions.flatMap((action) => {
    const list =
      at(action, 'appendContinuationItemsAction', 'continuationItems') ??
      at(action, 'reloadContinuationItemsCommand', 'continuationItems')
    return Array.isArray(list) ? [list] : []
  })
  return lists.length === 0 ? null : lists.flat()
}

/** Items of the main list; null if the answer has no list. */
function findItems(body: unknown): unknown[] | null {
  const panel = at(body, 'contents', 'twoColumnWatchNextResults', 'playlist', 'playlist', 'contents')
  if (Array.isArray(panel)) return panel
  const appended = findAppended(body)
  if (appended !== null) return appended
  const content = at(findTab(body), 'content')
  return content === undefined ? null : [content]
}

/** Returns the number in `4,999 videos` or `No videos`. */
const parseCount = (text: string | null): number | null => {
  const [, digits] = /^([\d,.\s]+) (?:video|episode|lesson|track)s?$/i.exec(text?.trim() ?? '') ?? []
  if (digits !== undefined) return Number(digits.replace(/\D/g, ''))
  return /^No videos$/i.test(text?.trim() ?? '') ? 0 : null
}

function findTotal(body: unknown): number | null {
  const sidebar = listAt(body, 'sidebar', 'playlistSidebarRenderer', 'items')
  const rows = listAt(
    body,
    ...['header', 'pageHeaderRenderer', 'content', 'pageHeaderViewModel', 'metadata', 'contentMetadataViewModel'],
    'metadataRows',
  )
  const texts = [
    textAt(body, 'header', 'playlistHeaderRenderer', 'numVideosText'),
    ...sidebar
      .flatMap((item) => listAt(item, 'playlistSidebarPrimaryInfoRenderer', 'stats'))
      .map((stat) => textAt(stat)),
    ...rows.flatMap((row) => listAt(row, 'metadataParts')).map((part) => textAt(part, 'text')),
  ]
  return texts.map(parseCount).find((count) => count !== null) ?? null
}

function findOwner(body: unknown): string | null {
  const sidebar = listAt(body, 'sidebar', 'playlistSidebarRenderer', 'items')
  return (
    textAt(body, 'header', 'playlistHeaderRenderer', 'ownerText') ??
    sidebar
      .map((item) => textAt(item, 'playlistSidebarSecondaryInfoRenderer', 'videoOwner', 'videoOwnerRenderer', 'title'))
      .find((text) => text !== null) ??
    null
  )
}

function findTitle(body: unknown): string | null {
  return (
    textAt(body, 'metadata', 'channelMetadataRenderer', 'title') ??
    textAt(body, 'metadata', 'playlistMetadataRenderer', 'title') ??
    textAt(body, 'header', 'playlistHeaderRenderer', 'title') ??
    textAt(body, 'header', 'c4TabbedHeaderRenderer', 'title') ??
    textAt(body, 'header', 'pageHeaderRenderer', 'pageTitle') ??
    textAt(body, 'microformat', 'microformatDataRenderer', 'title') ??
    textAt(body, 'contents', 'twoColumnWatchNextResults', 'playlist', 'playlist', 'title')
  )
}

/** The age gate of a channel takes the place of its tabs. */
function findAgeGate(body: unknown): unknown {
  const sections = listAt(findTab(body), 'content', 'sectionListRenderer', 'contents')
  return sections.map((section) => at(section, 'channelAgeGateRenderer')).find((gate) => gate !== undefined)
}

const findRedirect = (body: unknown): string | null =>
  listAt(body, 'onResponseReceivedActions')
    .map((action) => stringAt(action, 'navigateAction', 'endpoint', 'browseEndpoint', 'browseId'))
    .find((id) => id !== null) ?? null

const listErrors = (body: unknown): string[] =>
  listAt(body, 'alerts')
    .map((alert) => at(alert, 'alertRenderer'))
    .filter((alert) => stringAt(alert, 'type') === 'ERROR')
    .flatMap((alert) => textAt(alert, 'text') ?? [])

/** Reads an answer of the platform about a list. Never throws: what is missing or of another form is left out. */
export function readPage(body: unknown): ListPage {
  const items = findItems(body)
  const found: Found = { entries: [], tokens: [] }
  if (items) collect(items, found)
  const gate = findAgeGate(body)
  const status = at(body, 'error', 'code')
  return {
    entries: found.entries,
    next: found.tokens[0] ?? null,
    hasList: items !== null && gate === undefined,
    title: textAt(gate, 'channelTitle') ?? findTitle(body),
    owner: findOwner(body),
    total: findTotal(body),
    errors: listErrors(body),
    channelId: stringAt(body, 'metadata', 'channelMetadataRenderer', 'externalId'),
    isAgeGated: gate !== undefined,
    redirect: findRedirect(body),
    isEndless: at(body, 'contents', 'twoColumnWatchNextResults', 'playlist', 'playlist', 'isInfinite') === true,
    status: typeof status === 'number' ? status : null,
  }
}

import { escapeMarkup } from '@subtext/render'
import type { Assets } from './assets.ts'
import type { PageSection } from './markdown.ts'
import { CHANGELOG_PATH, DOCS_PATH, GUIDES_PATH, OPENAPI_PATH } from './paths.ts'
import type { ReferenceGroup } from './reference/operations.ts'

export interface DocsPage {
  path: string
  title: string
  description: string
  body: string
  /** For the list of contents beside the text. */
  sections: PageSection[]
  /** Where the same page is as Markdown. */
  markdownPath?: string
  /** Whether the page is wide enough for samples beside the text. */
  isWide?: boolean
  scripts?: ('rank.js' | 'search.js' | 'try.js')[]
}

/** The targets of the navigation on every page. */
export interface Navigation {
  guides: { name: string; title: string }[]
  groups: ReferenceGroup[]
  hasDashboard: boolean
}

interface LayoutContext {
  assets: Assets
  navigation: Navigation
}

const link = (href: string, text: string, current: string): string =>
  `<a href="${href}"${href === current ? ' aria-current="page"' : ''}>${escapeMarkup(text)}</a>`

const list = (title: string, links: string[]): string =>
  `<h2>${escapeMarkup(title)}</h2><ul>${links.map((each) => `<li>${each}</li>`).join('')}</ul>`

function writeNavigation({ guides, groups, hasDashboard }: Navigation, { path, isWide }: DocsPage): string {
  const operations = groups.map(({ name, operations: members }) => {
    const details = isWide
      ? `<ul class="operations">${members.map(({ id, summary }) => `<li><a href="${DOCS_PATH}#${id}">${escapeMarkup(summary.replaceAll('`', ''))}</a></li>`).join('')}</ul>`
      : ''
    return `<a class="tag" href="${DOCS_PATH}#${name}">${escapeMarkup(name)}</a>${details}`
  })
  return [
    list('Start', [link(DOCS_PATH, 'Overview', path), ...(hasDashboard ? [link('/', 'Dashboard', path)] : [])]),
    list(
      'Guides',
      guides.map(({ name, title }) => link(`${GUIDES_PATH}/${name}`, title, path)),
    ),
    list('Reference', operations),
    list('More', [
      link(CHANGELOG_PATH, 'Changelog', path),
      link(OPENAPI_PATH, 'OpenAPI document', path),
      link('/llms.txt', 'llms.txt', path),
    ]),
  ].join('\n')
}

/** A list of contents with one or two entries does not help. */
const MIN_CONTENTS = 3

function writeContents(sections: PageSection[], markdownPath: string | undefined): string {
  const entries = sections.filter(({ level }) => level === 2 || level === 3)
  const items = entries.map(
    ({ level, heading, id }) => `<li class="level-${level}"><a href="#${id}">${escapeMarkup(heading)}</a></li>`,
  )
  const contents = items.length >= MIN_CONTENTS ? `<h2>On this page</h2><ul>${items.join('')}</ul>` : ''
  const markdown = markdownPath ? `<p><a href="${markdownPath}">View as Markdown</a></p>` : ''
  return contents === '' && markdown === ''
    ? ''
    : `<aside class="contents" aria-label="On this page">${contents}${markdown}</aside>`
}

const writeHead = (
  { title, description, markdownPath, scripts = [] }: DocsPage,
  assets: Assets,
): string => `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)} · Subtext</title>
<meta name="description" content="${escapeMarkup(description)}">
<link rel="icon" href="${assets.urlOf('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.urlOf('docs.css')}">
${markdownPath ? `<link rel="alternate" type="text/markdown" href="${markdownPath}">\n` : ''}<script src="${assets.urlOf('theme.js')}"></script>
<script src="${assets.urlOf('page.js')}" defer></script>
${scripts.map((name) => `<script src="${assets.urlOf(name)}" defer></script>`).join('\n')}`

const writeHeader = (assets: Assets): string => `<header class="top">
<a class="skip" href="#main">Skip to the text</a>
<a class="brand" href="${DOCS_PATH}"><img src="${assets.urlOf('icon.svg')}" alt="" width="24" height="24"> Subtext</a>
<button type="button" class="find" data-open-search hidden><span>Search</span> <kbd>/</kbd></button>
<button type="button" class="icon" data-switch-theme aria-label="Switch between light and dark colors" hidden>◐</button>
<button type="button" class="menu" popovertarget="navigation">Menu</button>
</header>`

const writeSearch = (
  assets: Assets,
): string => `<dialog id="search" aria-label="Search" data-index="${assets.urlOf('search.json')}">
<input type="search" placeholder="Search guides, operations and error codes" aria-label="Search" autocomplete="off" spellcheck="false">
<p role="status">No results.</p>
<ol></ol>
</dialog>`

/** Returns a page of the documentation. */
export const writePage = (page: DocsPage, { assets, navigation }: LayoutContext): string => `<!doctype html>
<html lang="en">
<head>
${writeHead({ ...page, scripts: ['rank.js', 'search.js', ...(page.scripts ?? [])] }, assets)}
</head>
<body>
${writeHeader(assets)}
<div class="frame${page.isWide ? ' wide' : ''}">
<nav id="navigation" class="side" aria-label="Documentation" popover>
${writeNavigation(navigation, page)}
</nav>
<main id="main">
${page.body}
</main>
${writeContents(page.sections, page.markdownPath)}
</div>
${writeSearch(assets)}
</body>
</html>
`

/** Returns a page of its own, without the navigation of the documentation. */
export const writeSinglePage = (page: DocsPage, assets: Assets): string => `<!doctype html>
<html lang="en">
<head>
${writeHead(page, assets)}
</head>
<body class="single">
<main id="main">
<img src="${assets.urlOf('icon.svg')}" alt="" width="44" height="44">
${page.body}
</main>
</body>
</html>
`

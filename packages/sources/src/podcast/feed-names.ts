/** The prefixes by which this reader knows the namespaces of feeds. RSS itself has none. */
const PREFIXES: Record<string, string> = {
  'https://podcastindex.org/namespace/1.0': 'podcast',
  'https://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md': 'podcast',
  'http://www.itunes.com/dtds/podcast-1.0.dtd': 'itunes',
  'http://www.w3.org/2005/atom': 'atom',
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://purl.org/rss/1.0/': '',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#': 'rdf',
}

/** Returns the names of elements as this reader knows them, whatever prefixes a feed declares. */
export interface FeedNames {
  /** Notes what an element declares. */
  declare(attributes: Record<string, string>): void
  nameOf(name: string): string
}

/** Undeclared prefixes, which many feeds have, are taken by their names. Those of Atom, without a prefix, are `atom:feed` and so on. */
export function createFeedNames(): FeedNames {
  const known = new Map<string, string>()
  return {
    declare(attributes) {
      for (const [name, uri] of Object.entries(attributes)) {
        if (!name.startsWith('xmlns')) continue
        const prefix = PREFIXES[uri.trim().toLowerCase()]
        if (prefix !== undefined && known.size < 100) known.set(name.slice('xmlns:'.length), prefix)
      }
    },
    nameOf(name) {
      const at = name.indexOf(':')
      const prefix = at < 0 ? '' : name.slice(0, at)
      const local = name.slice(at + 1)
      const canonical = known.get(prefix) ?? prefix.toLowerCase()
      return canonical === '' ? local : `${canonical}:${local}`
    },
  }
}

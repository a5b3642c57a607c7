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
  /** Enters an element, with what it declares. Returns its name. */
  enter(name: string, attributes: Record<string, string>): string
  leave(): void
}

/** Undeclared prefixes, which many feeds have, are taken by their names. Those of Atom, without a prefix, are `atom:feed` and so on. */
export function createFeedNames(): FeedNames {
  /** The prefixes that are known in each of the open elements. */
  const scopes: ReadonlyMap<string, string>[] = [new Map()]
  return {
    enter(name, attributes) {
      const declared = Object.entries(attributes).flatMap(([attribute, uri]): [string, string][] => {
        const prefix = PREFIXES[uri.trim().toLowerCase()]
        return prefix !== undefined && /^xmlns(?::|$)/.test(attribute)
          ? [[attribute.slice('xmlns:'.length), prefix]]
          : []
      })
      const around = scopes.at(-1) ?? new Map<string, string>()
      const scope = declared.length === 0 ? around : new Map([...around, ...declared])
      scopes.push(scope)
      const at = name.indexOf(':')
      const written = at < 0 ? '' : name.slice(0, at)
      const local = name.slice(at + 1)
      const prefix = scope.get(written) ?? written.toLowerCase()
      return prefix === '' ? local : `${prefix}:${local}`
    },
    leave: () => void scopes.pop(),
  }
}

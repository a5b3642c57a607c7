/** The service in the guides of the repository. */
const ORIGIN = 'https://subtext.example.org'
const MCP_URL = `${ORIGIN}/mcp`
/** The service in examples of the OpenAPI document, and in what guides repeat of them. */
const EXAMPLE_ORIGIN = 'https://api.example.org'
const SAMPLE_NAMES: [name: RegExp, replacement: string][] = [
  [/\bPLsbtx-lectures\b/g, 'PLAYLIST_ID'],
  [/@sbtx-lectures\b/g, '@HANDLE'],
  [/\bsbtx-[a-z-]+\b/g, 'VIDEO_ID'],
]

/** Parts of a guide that the repository shows, and those within comments, which it does not. */
const SHOWN = /^<!-- only (.+) -->\n([\s\S]*?)^<!-- end -->\n/gm
const HIDDEN = /^<!-- only (.+)\n([\s\S]*?)^end -->\n/gm

/** The service whose readers are addressed. */
export interface DocumentedService {
  origin: string
  mcpUrl: string
  hasDashboard: boolean
  /** Whether it serves the sample videos. */
  hasSamples: boolean
}

/** Returns a text with the origin of the service in the examples of its API. */
export const addressExamples = (text: string, origin: string): string => text.replaceAll(EXAMPLE_ORIGIN, origin)

/**
 * Returns the Markdown of a guide for the readers of a service: with its addresses, and with the parts that hold for it. Throws
 * if a part names an unknown condition.
 */
export function adaptToService(
  markdown: string,
  { origin, mcpUrl, hasDashboard, hasSamples }: DocumentedService,
): string {
  const conditions: Record<string, boolean> = {
    'in the repository': false,
    'where it is served, with a dashboard': hasDashboard,
    'where it is served, without a dashboard': !hasDashboard,
    'with sample videos': hasSamples,
  }
  const select = (_: string, condition: string, part: string): string => {
    const holds = conditions[condition]
    if (holds === undefined) throw new Error(`A guide has a part "only ${condition}".`)
    return holds ? part : ''
  }
  const selected = markdown
    .replace(SHOWN, select)
    .replace(HIDDEN, select)
    .replace(/\n{3,}/g, '\n\n')
  const addressed = addressExamples(selected.replaceAll(MCP_URL, mcpUrl).replaceAll(ORIGIN, origin), origin)
  return hasSamples ? addressed : SAMPLE_NAMES.reduce((text, [name, other]) => text.replace(name, other), addressed)
}

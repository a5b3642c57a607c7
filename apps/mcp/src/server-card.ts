import { VERSION } from '@subtext/mcp'

/** Paths of the card: that of the first proposal, and the one that is now reserved beside the endpoint. */
export const CARD_PATHS = ['/.well-known/mcp/server-card.json', '/mcp/server-card']

/** Pages of any origin may read the card. */
export const CARD_HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' }

/**
 * Describes the server to clients that have not connected to it
 * (https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2127).
 */
export function describeServer(endpoint: string) {
  const { hostname } = new URL(endpoint)
  const isAddress = /^[\d.]+$|^\[/.test(hostname)
  const domain = isAddress ? 'localhost' : hostname.split('.').reverse().join('.')
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${domain}/subtext`,
    title: 'Subtext',
    version: VERSION,
    description: 'Transcripts and summaries of public videos.',
    remotes: [
      {
        type: 'streamable-http',
        url: endpoint,
        supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
        headers: [
          {
            name: 'Authorization',
            description: 'API key of Subtext, as "Bearer sk_...".',
            isRequired: true,
            isSecret: true,
          },
        ],
      },
    ],
  }
}

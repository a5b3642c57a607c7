import { SERVER_KINDS, type ServerKind } from '@subtext/fakes'
import { selectModelServers } from '@subtext/runtime/testing'

const PROVIDER = 'the provider'
const KINDS = Object.keys(SERVER_KINDS) as ServerKind[]

/** A server that summaries are tested against. */
export interface TestedServer {
  name: string
  /** Undefined for the provider's own API. */
  kind: ServerKind | undefined
  /** Keeps documents between calls, and says so. */
  isCaching: boolean
  /** Follows schemas; otherwise they are part of the prompt. */
  takesSchemas: boolean
  /** Context window to set, in tokens. Undefined if it is larger than any prompt. */
  contextTokens: number | undefined
}

const describeServer = (kind: ServerKind): TestedServer => {
  const { cache, schema, contextTokens } = SERVER_KINDS[kind]
  return {
    name: kind,
    kind,
    isCaching: cache === 'used',
    takesSchemas: schema === 'used',
    contextTokens: Number.isFinite(contextTokens) ? contextTokens : undefined,
  }
}

const ON_PUSH = [PROVIDER, 'llama.cpp'] as const

/** The servers that summaries are tested against: see `MODEL_SERVERS`. */
export const TESTED_SERVERS: TestedServer[] = selectModelServers<ServerKind | typeof PROVIDER>(
  [PROVIDER, ...KINDS],
  ON_PUSH,
).map((name) =>
  name === PROVIDER
    ? { name, kind: undefined, isCaching: true, takesSchemas: true, contextTokens: undefined }
    : describeServer(name),
)

/** The servers whose context is large enough for an hour of video. */
export const LARGE_SERVERS = TESTED_SERVERS.filter(({ contextTokens }) => contextTokens === undefined)

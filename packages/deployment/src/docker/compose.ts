import { parse } from 'yaml'

export interface ComposeService {
  image: string
  build?: { context: string; dockerfile: string; args?: string[] }
  command?: string[]
  environment?: Record<string, string>
  env_file?: { path: string; required: boolean }[]
  profiles?: string[]
  ports?: string[]
  networks?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { disable?: boolean; test?: string[] }
  restart?: string
  stop_grace_period?: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  mem_limit?: string
}

export interface ComposeFile {
  services: Record<string, ComposeService>
  networks: Record<string, { internal?: boolean } | null>
  volumes: Record<string, null>
}

/** Returns whether a service runs our image, whichever service builds it. */
export const runsOurImage = ({ image }: ComposeService, { services }: ComposeFile): boolean =>
  Object.values(services).some((service) => service.build && service.image === image)

const VARIABLE = /\$\{(\w+)(?::([-?])([^${}]*))?\}/g

/** Parses a compose file as Docker Compose does: merges, then variables with their defaults. Throws if one is required and missing. */
export function parseCompose(text: string, variables: Record<string, string>): ComposeFile {
  const substitute = (value: string): string =>
    value.replaceAll(VARIABLE, (_, name: string, form: string | undefined, argument = '') => {
      if (variables[name]) return variables[name]
      if (form === '?') throw new Error(`${name}: ${argument}`)
      return argument
    })
  return parse(text, (_, value) => (typeof value === 'string' ? substitute(value) : value), {
    merge: true,
  }) as ComposeFile
}

/** Returns the variables that a compose file reads, and whether it requires them. */
export function listVariables(text: string): Map<string, boolean> {
  const variables = new Map<string, boolean>()
  for (const [, name = '', form] of text.matchAll(VARIABLE)) {
    variables.set(name, form === '?' || variables.get(name) === true)
  }
  return variables
}

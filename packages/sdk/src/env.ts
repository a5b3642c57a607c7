/** Environment variables that a client reads when it is created without options. */
interface ClientEnv {
  SUBTEXT_API_KEY?: string
  SUBTEXT_API_BASE?: string
  SERVICE_API_KEY?: string
  SERVICE_API_BASE?: string
}

/** Returns the environment of the process; empty where there is none (browsers), or where reading it is not permitted (Deno). */
export function readEnv(): ClientEnv {
  try {
    return (globalThis as { process?: { env?: ClientEnv } }).process?.env ?? {}
  } catch {
    return {}
  }
}

/** Less than the second within which a revoked token must be refused everywhere. */
const CACHE_MS = 500
const TIMEOUT_MS = 5_000
const MAX_CACHED = 10_000

/** Returns whether a text has the form of an access token of the API. */
export const isAccessToken = (text: string): boolean => /^at_[0-9a-f]{64}$/.test(text)

/**
 * Creates the check of keys and access tokens, which asks the API. Clients need a refusal before the response begins, so that they
 * refresh their token or ask for another key. Replies are kept for half a second. If the API is away, the token counts as valid:
 * the API checks it again with every call.
 */
export function createTokenCheck(apiBase: string, now: () => number = () => performance.now()) {
  const endpoint = `${apiBase}/auth/oauth/introspect`
  const known = new Map<string, { until: number; isActive: Promise<boolean> }>()
  return (token: string): Promise<boolean> => {
    const cached = known.get(token)
    if (cached && cached.until > now()) return cached.isActive
    // The oldest come first.
    for (const [each, { until }] of known) {
      if (until > now() && known.size < MAX_CACHED) break
      known.delete(each)
    }
    const isActive = ask(endpoint, token)
    known.set(token, { until: now() + CACHE_MS, isActive })
    return isActive
  }
}

async function ask(endpoint: string, token: string): Promise<boolean> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      body: new URLSearchParams({ token }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) return true
    return ((await response.json()) as { active?: unknown }).active === true
  } catch {
    return true
  }
}

/** Creates the check whether the API is reachable. The base may have the forms that the SDK accepts. */
export function createApiCheck(apiBase: string): () => Promise<boolean> {
  const base = apiBase.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '')
  const url = `${base}/health/live`
  return async () => (await fetch(url)).ok
}

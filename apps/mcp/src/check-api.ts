/** Creates the check whether the API is reachable. The base may have the forms that the SDK accepts. */
export function createApiCheck(apiBase: string): () => Promise<boolean> {
  const url = `${apiBase.replace(/(?:\/api\/v1)?\/?$/, '')}/health/live`
  return async () => (await fetch(url)).ok
}

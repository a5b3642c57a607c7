/** Creates the check whether the API is reachable. */
export const createApiCheck = (apiBase: string) => async (): Promise<boolean> =>
  (await fetch(`${apiBase}/health/live`)).ok

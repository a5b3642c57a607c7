/** What every child process needs of ours: where programs are, nothing of the service's own settings. */
export const inheritedEnv = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
})

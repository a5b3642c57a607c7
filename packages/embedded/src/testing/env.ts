/** Returns the variables that every child process needs, without any setting of the service. */
export const inheritedEnv = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
})

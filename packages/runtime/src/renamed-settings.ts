/** Former names of settings with their present names. Accepted until the release after the one that renames them. */
const RENAMED: Record<string, string> = { BLOCKED_EXIT_REST_SECONDS: 'BLOCKED_EGRESS_REST_SECONDS' }

/** Returns the settings with present names instead of former ones. If both are set, the present name takes precedence. */
export const withPresentNames = (settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [RENAMED[name] ?? name, value])),
  ...settings,
})

/** Returns the former names that are set, each with the name to use instead. */
export const findFormerNames = (source: NodeJS.ProcessEnv): { setting: string; use: string }[] =>
  Object.entries(RENAMED).flatMap(([setting, use]) => (source[setting] ? [{ setting, use }] : []))

import type { Producer } from '@subtext/queue'

/** Access to roles, each of which is held by one process at a time. */
export type Roles = Pick<Producer, 'keepRole' | 'dropRole'>

/** Gives every worker every role while Redis cannot say who holds it. For work that any number of workers may do at once. */
export const orAlone = ({ keepRole, dropRole }: Roles): Roles => ({
  keepRole: (role, seconds) => keepRole(role, seconds).catch(() => true),
  dropRole,
})

/** How long after its holder was last active another worker may take over a role. */
const ROLE_SECONDS = 3

/**
 * Runs `work` if this worker holds the role. If the work fails, the role is given up, because this worker may be the only one
 * that cannot reach the database. Returns 0 without the role.
 */
export async function runInRole(roles: Roles, role: string, work: () => Promise<number>): Promise<number> {
  if (!(await roles.keepRole(role, ROLE_SECONDS))) return 0
  try {
    return await work()
  } catch (error) {
    await roles.dropRole(role).catch(() => {}) // The role expires on its own.
    throw error
  }
}

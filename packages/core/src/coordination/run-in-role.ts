import type { Producer } from '@subtext/queue'

/** The way of a process to the roles of which one process at a time has each. */
export type Roles = Pick<Producer, 'keepRole' | 'dropRole'>

/** Lets every worker have every role while Redis cannot say which one has it. For work that any number may do at once. */
export const orAlone = ({ keepRole, dropRole }: Roles): Roles => ({
  keepRole: (role, seconds) => keepRole(role, seconds).catch(() => true),
  dropRole,
})

/** Another worker takes a role over this long after its holder was last active. */
const ROLE_SECONDS = 3

/**
 * Runs `work` if this worker has the role, which one of all workers has. If the work fails, another worker may take the role:
 * this one may be the only one that cannot reach the database. Returns 0 without the role.
 */
export async function runInRole(roles: Roles, role: string, work: () => Promise<number>): Promise<number> {
  if (!(await roles.keepRole(role, ROLE_SECONDS))) return 0
  try {
    return await work()
  } catch (error) {
    await roles.dropRole(role).catch(() => {}) // it expires by itself
    throw error
  }
}

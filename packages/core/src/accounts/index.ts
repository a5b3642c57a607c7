export type { OwnedApiKey, StoredSession } from '@subtext/db'
export {
  type AccountOverview,
  getAccount,
  inviteAddress,
  SIGN_IN_OUTCOMES,
  type SignInOutcome,
  updateAccount,
} from './account.ts'
export { deleteOwnAccount, purgeDeletedAccounts } from './delete.ts'
export { type OwnJob, readOwnJobs, readOwnTables } from './export.ts'
export { createOwnKey, listOwnKeys, revokeOwnKey, updateOwnKey } from './keys.ts'
export {
  assertRecentSignIn,
  cookieName,
  cookiePrefix,
  createSessionVerifier,
  endOwnSession,
  listOwnSessions,
  openCookie,
  readCookie,
  recentUntil,
  SESSION_SECONDS,
  type SessionCookie,
  signCookiesAgain,
  type VerifySession,
} from './sessions.ts'

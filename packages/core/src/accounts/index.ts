export {
  type AccountOverview,
  getAccount,
  inviteAddress,
  SIGN_IN_OUTCOMES,
  type SignInOutcome,
  updateAccount,
} from './account.ts'
export { lockAccount } from './account-sql.ts'
export { type CountedAttempt, countAttempts, takeBackAttempts } from './attempts-sql.ts'
export { deleteOwnAccount, purgeDeletedAccounts } from './delete.ts'
export { deleteAccountContent, markAccountDeleted } from './delete-sql.ts'
export { type OwnJob, readOwnJobs, readOwnTables } from './export.ts'
export { EXPORTED_TABLES } from './export-sql.ts'
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
  type StoredSession,
  signCookie,
  signCookiesAgain,
  type VerifySession,
} from './sessions.ts'
export { endSupportBy } from './sessions-sql.ts'
export {
  type CreatedLink,
  createFirstOwner,
  createFirstOwnerLink,
  createOwnerLink,
  createSupportLink,
  firstOwnerUrl,
  readSignInLink,
  signInLinkUrl,
  type UsedLink,
  useSignInLink,
} from './sign-in-links.ts'
export { confirmSignUp } from './sign-ups-sql.ts'

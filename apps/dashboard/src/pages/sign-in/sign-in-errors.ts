const ERRORS: Record<string, string> = {
  INVALID_TOKEN: 'This link no longer works: it has expired or has been used. Ask for a new one.',
  EXPIRED_TOKEN: 'This link has expired. Ask for a new one.',
  USER_ALREADY_EXISTS: 'This address already has an account. Sign in below.',
  state_mismatch: 'The sign-in was not started in this browser. Try again.',
  account_suspended: 'This account is suspended. Contact the operator of the service.',
  signup_disabled: 'New accounts need an invitation.',
}

/** Describes what went wrong with a link or a provider, by the code that it returned. */
export const describeSignInError = (code: string): string =>
  ERRORS[code] ?? 'Sign-in failed. Try again, or choose another method.'

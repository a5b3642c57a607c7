import { MAX_SUPPORT_MINUTES, SIGN_IN_LINK_MINUTES } from '@subtext/contracts'
import { escapeMarkup, renderPlainPage } from '@subtext/render'

interface LinkPage {
  title: string
  /** The person the link is for. Null if it no longer works. */
  email: string | null
  button: string
  /** Below the button. */
  note: string
  /** What the button does. */
  action: string
  /** Instead of the button, if the link no longer works. */
  expired: string
}

/**
 * Returns the page to which a link in an email leads. Programs that follow links in emails, to check or to preview them, get
 * this page and press no button, so the link has no effect. It names the account, so that nobody is signed in to someone
 * else's account without noticing.
 */
function renderLinkPage({ title, email, button, note, action, expired }: LinkPage): string {
  const body =
    email === null
      ? `<h1>This link no longer works</h1>
<p>${escapeMarkup(expired)}</p>
<p class="note"><a href="/sign-in">Go to the sign-in page</a></p>`
      : `<h1>${escapeMarkup(title)}</h1>
<p>as <strong>${escapeMarkup(email)}</strong></p>
<form method="post" action="${escapeMarkup(action)}"><button class="primary" autofocus>${escapeMarkup(button)}</button></form>
<p class="note">${escapeMarkup(note)}</p>`
  return renderPlainPage(title, body)
}

/** Returns the page to which a sign-in link leads. */
export const renderMagicLinkPage = (link: Pick<LinkPage, 'action' | 'email'>): string =>
  renderLinkPage({
    ...link,
    title: 'Sign in',
    button: 'Sign in',
    note: 'If you did not ask for this link, close the page.',
    expired: 'A sign-in link works once, for 15 minutes. Ask for a new one.',
  })

/** Returns the page to which a link of an operator leads. */
export const renderOperatorLinkPage = (link: Pick<LinkPage, 'action' | 'email'> & { isSupport: boolean }): string =>
  renderLinkPage({
    ...link,
    title: link.isSupport ? 'Support' : 'Sign in',
    button: link.isSupport ? 'See this account' : 'Sign in',
    note: link.isSupport
      ? `You will see the account for ${MAX_SUPPORT_MINUTES} minutes, and be signed out of your own. Use a private window to keep it.`
      : 'If an operator of this service has not sent you this link, close the page.',
    expired: `A link of an operator works once, for ${SIGN_IN_LINK_MINUTES} minutes. Ask for a new one.`,
  })

/** Returns the page to which the link of a sign-up leads in another browser than that of the sign-up. */
export const renderSignUpPage = (link: { action: string; email: string }): string =>
  renderLinkPage({
    ...link,
    title: 'Create your account',
    button: 'Create my account',
    note: 'If you have not signed up, close the page: the person who did would get an account with your address.',
    expired: '',
  })

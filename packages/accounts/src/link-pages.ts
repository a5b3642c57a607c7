import { escapeMarkup } from '@subtext/render'

interface LinkPage {
  title: string
  /** Whom the link is about. Null: it no longer works. */
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
 * Returns the page to which a link in an e-mail leads. Programs that follow links in e-mails, to check or to preview them, get
 * this page and press no button, so the link has no effect. It names the account, so that nobody is signed in to that of
 * somebody else unawares.
 */
function renderLinkPage({ title, email, button, note, action, expired }: LinkPage): string {
  const body =
    email === null
      ? `<h1>This link no longer works</h1>
<p>${escapeMarkup(expired)}</p>
<p><a href="/sign-in">To the sign-in page</a></p>`
      : `<h1>${escapeMarkup(title)}</h1>
<p>as <strong>${escapeMarkup(email)}</strong></p>
<form method="post" action="${escapeMarkup(action)}"><button autofocus>${escapeMarkup(button)}</button></form>
<p>${escapeMarkup(note)}</p>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeMarkup(title)}</title>
<style>${LINK_PAGE_STYLE}</style></head>
<body><main>${body}</main></body>
</html>
`
}

/** Returns the page to which a sign-in link leads. */
export const renderMagicLinkPage = (link: Pick<LinkPage, 'action' | 'email'>): string =>
  renderLinkPage({
    ...link,
    title: 'Sign in to Subtext',
    button: 'Sign in',
    note: 'If you did not ask for this link, close the page.',
    expired: 'A sign-in link works once, for 15 minutes. Ask for a new one.',
  })

/** Returns the page to which the link of a sign-up leads in another browser than that of the sign-up. */
export const renderSignUpPage = (link: { action: string; email: string }): string =>
  renderLinkPage({
    ...link,
    title: 'Create a Subtext account',
    button: 'Create my account',
    note: 'If you have not signed up, close the page: the person who did would get an account with your address.',
    expired: '',
  })

/** The only style of the page; the Content-Security-Policy allows it by its hash. */
export const LINK_PAGE_STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;display:grid;min-height:100vh;place-items:center}
main{max-width:24rem;padding:1.5rem;text-align:center;overflow-wrap:anywhere}
h1{font-size:1.4rem}
button{font:inherit;padding:.6rem 1.6rem;border:0;border-radius:.4rem;background:#1f5fd0;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #8ab4ff;outline-offset:2px}`

import { escapeMarkup } from '@subtext/render'

/**
 * Returns the page to which a sign-in link leads. Programs that follow links in e-mails, to check or to preview them, get this
 * page and press no button, so they do not use up the link. It names the account, so that nobody is signed in to that of
 * somebody else unawares.
 */
export function renderMagicLinkPage({ action, email }: { action: string; email: string | null }): string {
  const body =
    email === null
      ? `<h1>This link no longer works</h1>
<p>A sign-in link works once, for 15 minutes.</p>
<p><a href="/sign-in">Ask for a new one</a></p>`
      : `<h1>Sign in to Subtext</h1>
<p>as <strong>${escapeMarkup(email)}</strong></p>
<form method="post" action="${escapeMarkup(action)}"><button autofocus>Sign in</button></form>
<p>If you did not ask for this link, close the page.</p>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>Sign in to Subtext</title>
<style>${MAGIC_LINK_STYLE}</style></head>
<body><main>${body}</main></body>
</html>
`
}

/** The only style of the page; the Content-Security-Policy allows it by its hash. */
export const MAGIC_LINK_STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;display:grid;min-height:100vh;place-items:center}
main{max-width:24rem;padding:1.5rem;text-align:center;overflow-wrap:anywhere}
h1{font-size:1.4rem}
button{font:inherit;padding:.6rem 1.6rem;border:0;border-radius:.4rem;background:#1f5fd0;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #8ab4ff;outline-offset:2px}`

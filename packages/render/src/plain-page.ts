import { createHash } from 'node:crypto'
import { escapeMarkup } from './html-syntax.ts'

/** The colors and shapes of the dashboard, for pages that are sent without it. */
const LIGHT =
  'color-scheme:light;--canvas:#f7f6f3;--surface:#fff;--sunken:#efede8;--line:#dedad2;--ink:#1c1a17;--muted:#5f5a52;--accent:#0f6b63;--accent-ink:#fff'
const DARK =
  'color-scheme:dark;--canvas:#131412;--surface:#1b1d1a;--sunken:#10110f;--line:#34372f;--ink:#f0efe9;--muted:#a9a698;--accent:#5cc8b8;--accent-ink:#06211d'
const STYLE = `:root{${LIGHT}}
:root[data-theme=dark]{${DARK}}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${DARK}}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--canvas);color:var(--ink);font:1rem/1.5 ui-sans-serif,system-ui,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif}
header{padding:.9rem 1rem;background:var(--surface);border-bottom:1px solid var(--line);font-weight:600;letter-spacing:-.01em}
header a{display:flex;align-items:center;gap:.5rem;max-width:70rem;margin:auto;color:inherit;text-decoration:none}
header svg{width:1.5rem;height:1.5rem}
main{width:calc(100% - 2rem);max-width:28rem;margin:clamp(1rem,8vh,4rem) auto;padding:2rem;background:var(--surface);border:1px solid var(--line);border-radius:1rem;box-shadow:0 20px 25px -5px #0000000d;overflow-wrap:anywhere}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.02em}
p,ul{margin:0 0 1rem}
ul{padding-left:1.25rem}
a{color:var(--accent);text-underline-offset:4px}
form{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0}
button{flex:1;min-height:2.5rem;padding:.4rem 1rem;font:inherit;font-size:.875rem;font-weight:500;border:1px solid var(--line);border-radius:.5rem;background:var(--surface);color:inherit;cursor:pointer}
button:hover{background:var(--sunken)}
button.primary{border-color:var(--accent);background:var(--accent);color:var(--accent-ink)}
button.primary:hover{filter:brightness(1.1)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.note{margin:0;font-size:.875rem;color:var(--muted)}
@media(max-width:30rem){main{padding:1.5rem}}`

/** Shows the theme that was chosen in the dashboard. Without a choice, the system decides; so it does without scripts. */
const SCRIPT = `try{document.documentElement.dataset.theme=localStorage.getItem('theme')??''}catch{}`

const hash = (content: string): string => `'sha256-${createHash('sha256').update(content).digest('base64')}'`

/** The directives of a Content-Security-Policy that allow the only style and the only script of these pages. */
export const PLAIN_PAGE_POLICY = { 'style-src': [hash(STYLE)], 'script-src': [hash(SCRIPT)] }

const LOGO = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><path d="M8 11h16M8 16h11M8 21h14" stroke="var(--accent-ink)" stroke-width="2.6" stroke-linecap="round"/></svg>`

/** Renders a page that works without scripts: one thing to read and to decide. `body` is HTML. */
export const renderPlainPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeMarkup(title)} · Subtext</title>
<script>${SCRIPT}</script><style>${STYLE}</style></head>
<body><header><a href="/" aria-label="Subtext, home">${LOGO}Subtext</a></header><main>${body}</main></body>
</html>
`

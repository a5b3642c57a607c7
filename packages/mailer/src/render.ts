import { escapeMarkup } from '@subtext/render'
import type { EmailContent } from './templates.ts'

export interface RenderedEmail {
  subject: string
  text: string
  html: string
}

/** Renders an email as plain text and as HTML that needs no image, style sheet or script. */
export function renderEmail({ subject, paragraphs, action, note }: EmailContent, origin: string): RenderedEmail {
  const blocks = [...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : []), ...(note ? [note] : [])]
  return {
    subject,
    text: `${[...blocks, `-- \nSubtext, ${origin}`].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeMarkup(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere">
<div style="max-width:32em;margin:0 auto">
<h1 style="font-size:20px">${escapeMarkup(subject)}</h1>
${paragraphs.map((text) => `<p>${escapeMarkup(text)}</p>`).join('\n')}
${action ? renderAction(action) : ''}
${note ? `<p style="font-size:14px;opacity:.75">${escapeMarkup(note)}</p>` : ''}
<p style="font-size:14px;opacity:.75">Subtext, ${escapeMarkup(origin)}</p>
</div>
</body>
</html>
`,
  }
}

const renderAction = ({ label, url }: NonNullable<EmailContent['action']>): string => `<p><a href="${escapeMarkup(url)}"
style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0f6b63;color:#fff;text-decoration:none">${escapeMarkup(label)}</a></p>
<p style="font-size:14px;opacity:.75">Or open this address:<br>${escapeMarkup(url)}</p>`

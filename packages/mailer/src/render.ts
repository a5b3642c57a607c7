import { escapeMarkup } from '@subtext/render'
import type { EmailContent, EmailSection } from './templates.ts'

export interface RenderedEmail {
  subject: string
  text: string
  html: string
}

/** Renders an email as plain text and as HTML that needs no image, style sheet or script. */
export function renderEmail(
  { subject, paragraphs, sections = [], action, note, stop }: EmailContent,
  origin: string,
): RenderedEmail {
  const blocks = [
    ...paragraphs,
    ...sections.map(writeSection),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(note ? [note] : []),
    ...(stop ? [`Stop these emails:\n${stop}`] : []),
  ]
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
${sections.map(renderSection).join('\n')}
${action ? renderAction(action) : ''}
${note ? `<p style="font-size:14px;opacity:.75">${escapeMarkup(note)}</p>` : ''}
${stop ? `<p style="font-size:14px"><a href="${escapeMarkup(stop)}" style="color:inherit">Stop these emails</a></p>` : ''}
<p style="font-size:14px;opacity:.75">Subtext, ${escapeMarkup(origin)}</p>
</div>
</body>
</html>
`,
  }
}

const writeSection = ({ title, url, paragraphs, links }: EmailSection): string =>
  [title, ...(url ? [url] : []), ...paragraphs, ...links.map((link) => `- ${link.text}\n  ${link.url}`)].join('\n')

const renderLink = ({ text, url }: { text: string; url: string }): string =>
  `<a href="${escapeMarkup(url)}" style="color:inherit">${escapeMarkup(text)}</a>`

const renderSection = ({ title, url, paragraphs, links }: EmailSection): string =>
  [
    `<h2 style="font-size:16px;margin:24px 0 4px">${url ? renderLink({ text: title, url }) : escapeMarkup(title)}</h2>`,
    ...paragraphs.map((text) => `<p style="margin:4px 0">${escapeMarkup(text)}</p>`),
    ...(links.length > 0
      ? [
          `<ul style="margin:4px 0;padding-left:20px">${links.map((link) => `<li>${renderLink(link)}</li>`).join('')}</ul>`,
        ]
      : []),
  ].join('\n')

const renderAction = ({ label, url }: NonNullable<EmailContent['action']>): string => `<p><a href="${escapeMarkup(url)}"
style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0f6b63;color:#fff;text-decoration:none">${escapeMarkup(label)}</a></p>
<p style="font-size:14px;opacity:.75">Or open this address:<br>${escapeMarkup(url)}</p>`

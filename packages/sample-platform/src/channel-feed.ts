import type { SampleChannel, SampleListEntry } from './sample-list.ts'

/** The feed shows as many, whatever the channel has. */
const MAX_ENTRIES = 15

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const buildEntry = ({ id, title, published, kind }: SampleListEntry): string => ` <entry>
  <id>yt:video:${id}</id>
  <yt:videoId>${id}</yt:videoId>
  <title>${escapeXml(title)}</title>
  <link rel="alternate" href="https://www.youtube.com/${kind === 'short' ? `shorts/${id}` : `watch?v=${id}`}"/>
  <published>${published.replace(/(?:\.\d+)?Z$/, '+00:00')}</published>
 </entry>`

/** Writes the feed of a channel as the platform does: its head names the channel without the `UC`. */
export function buildFeed({ id, name, entries }: SampleChannel): string {
  const shown = entries.filter(({ forMembers, gone }) => !forMembers && !gone).slice(0, MAX_ENTRIES)
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
 <id>yt:channel:${id.slice(2)}</id>
 <yt:channelId>${id.slice(2)}</yt:channelId>
 <title>${escapeXml(name)}</title>
 <link rel="alternate" href="https://www.youtube.com/channel/${id}"/>
${shown.map(buildEntry).join('\n')}
</feed>
`
}

import { useQuery } from '@tanstack/react-query'
import { mcpAddressQuery } from '../../api/account.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { SecretValue } from '../../ui/secret-value.tsx'

const GUIDES = [
  ['Claude Desktop', 'mcp-claude-desktop'],
  ['Claude Code', 'mcp-claude-code'],
  ['Cursor', 'mcp-cursor'],
  ['VS Code', 'mcp-vs-code'],
] as const

const LINK = 'text-accent underline-offset-4 hover:underline'

/** Explains how to connect an application. */
export function ConnectGuide({ title }: { title: string }) {
  const address = useQuery(mcpAddressQuery)
  return (
    <section
      aria-labelledby="connect"
      className="flex flex-col gap-5 rounded-2xl border border-line bg-surface p-5 sm:p-6"
    >
      <h2 id="connect" className="text-lg font-semibold tracking-tight">
        {title}
      </h2>
      <QueryView query={address}>
        {(url) =>
          url === null ? (
            <p className="text-sm text-muted">
              On this installation, applications cannot sign in. Give them an{' '}
              <a href="/keys" className={LINK}>
                API key
              </a>{' '}
              instead.
            </p>
          ) : (
            <>
              <Steps />
              <SecretValue label="Server address" value={url} />
            </>
          )
        }
      </QueryView>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        Step by step:
        {GUIDES.map(([name, guide]) => (
          <a key={guide} href={`/api/v1/docs/guides/${guide}`} className={LINK}>
            {name}
          </a>
        ))}
        <a href="/api/v1/docs/guides/mcp" className={LINK}>
          all others
        </a>
      </p>
    </section>
  )
}

const STEPS = [
  ['Add a server', 'In your application, add an MCP server (often called a connector) with the address below.'],
  ['Allow it', 'The application opens a Subtext page that lists the access it asks for. Choose Connect.'],
  ['Ask', 'For example: “Summarize this video, with the moments that matter”, and paste a URL.'],
] as const

const Steps = () => (
  <ol className="grid gap-4 sm:grid-cols-3">
    {STEPS.map(([name, text], index) => (
      <li key={name} className="flex gap-3">
        <span
          aria-hidden="true"
          className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
        >
          {index + 1}
        </span>
        <span className="flex flex-col gap-0.5 text-sm">
          <span className="font-medium">{name}</span>
          <span className="text-muted">{text}</span>
        </span>
      </li>
    ))}
  </ol>
)

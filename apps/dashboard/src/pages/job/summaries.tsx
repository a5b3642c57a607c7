import { Tabs } from '@base-ui/react/tabs'
import type { SummaryMode } from '@subtext/sdk'
import { Check, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Summaries } from '../../api/jobs.ts'
import { Button } from '../../ui/button.tsx'
import { TAB } from '../../ui/tabs.ts'
import { MODES } from '../../vocabulary.ts'
import { Markdown } from './markdown.tsx'

interface SummariesProps {
  summaries: Summaries
  videoId: string
  /** The language of the summaries; null if it is not known yet. */
  language: string | null
  onCite: (seconds: number) => void
  lit: number | null
  /** Shown beside the tabs. */
  actions: ReactNode
}

/** The summaries as tabs. Those of a job that is not finished appear as they are written. */
export function SummaryTabs({ summaries, videoId, language, onCite, lit, actions }: SummariesProps) {
  const written = MODES.filter(([mode]) => summaries[mode] !== undefined)
  const [chosen, setChosen] = useState<SummaryMode | null>(null)
  const current = chosen ?? written[0]?.[0]
  if (current === undefined) return null
  return (
    <Tabs.Root value={current} onValueChange={(value) => setChosen(value as SummaryMode)}>
      <div className="mb-4 flex flex-wrap items-center gap-3 border-b border-line">
        <Tabs.List aria-label="Summaries" className="flex grow gap-1 overflow-x-auto">
          {written.map(([mode, name]) => (
            <Tabs.Tab key={mode} value={mode} className={TAB}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {actions}
      </div>
      {written.map(([mode]) => (
        <Tabs.Panel key={mode} value={mode} lang={language ?? undefined} dir="auto" className="outline-offset-4">
          <Markdown text={summaries[mode] ?? ''} videoId={videoId} onCite={onCite} lit={lit} />
          <CopyButton text={summaries[mode] ?? ''} />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}

function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <Button variant="quiet" className="mt-4 -ml-3" onClick={() => void copy()}>
      {isCopied ? <Check className="size-4" aria-hidden="true" /> : <Copy className="size-4" aria-hidden="true" />}
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy as Markdown'}</span>
    </Button>
  )
}

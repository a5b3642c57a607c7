import Check from 'virtual:icons/check'
import Copy from 'virtual:icons/copy'
import { Tabs } from '@base-ui/react/tabs'
import type { SummaryMode } from '@subtext/sdk'
import { type ReactNode, useState } from 'react'
import type { Summaries } from '../../api/jobs.ts'
import { Button } from '../../ui/button.tsx'
import { TAB, TAB_LIST } from '../../ui/tabs.ts'
import { useCopy } from '../../ui/use-copy.ts'
import { MODES } from '../../vocabulary.ts'
import { Markdown } from './markdown.tsx'

interface SummariesProps {
  summaries: Summaries
  videoId: string
  /** The language of the summaries; null if it is not known yet. */
  language: string | null
  /** Null while the job is not finished: its player and transcript are not shown yet. */
  onCite: ((seconds: number) => void) | null
  lit: number | null
  /** Shown below the summary. */
  actions: ReactNode
}

/** The summaries as tabs, or the actions alone if there are none. Those of a job that is not finished appear as they are written. */
export function SummaryTabs({ summaries, videoId, language, onCite, lit, actions }: SummariesProps) {
  const written = MODES.filter(([mode]) => summaries[mode] !== undefined)
  const [chosen, setChosen] = useState<SummaryMode | null>(null)
  const current = chosen ?? written[0]?.[0]
  if (current === undefined) return <div className="-ml-3">{actions}</div>
  return (
    <Tabs.Root value={current} onValueChange={(value) => setChosen(value as SummaryMode)}>
      <Tabs.List aria-label="Summaries" className={`${TAB_LIST} mb-4`}>
        {written.map(([mode, name]) => (
          <Tabs.Tab key={mode} value={mode} className={TAB}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {written.map(([mode]) => (
        <Tabs.Panel key={mode} value={mode} className="outline-offset-4">
          <div lang={language ?? undefined} dir="auto">
            <Markdown text={summaries[mode] ?? ''} videoId={videoId} onCite={onCite} lit={lit} />
          </div>
          <div className="mt-4 -ml-3 flex flex-wrap gap-x-1">
            <CopyButton text={summaries[mode] ?? ''} />
            {actions}
          </div>
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}

function CopyButton({ text }: { text: string }) {
  const { outcome, copy } = useCopy()
  const name = { copied: 'Copied', refused: 'Your browser does not allow copying' }
  return (
    <Button variant="quiet" onClick={() => void copy(text)}>
      {outcome === 'copied' ? (
        <Check className="size-4" aria-hidden="true" />
      ) : (
        <Copy className="size-4" aria-hidden="true" />
      )}
      <span aria-live="polite">{outcome ? name[outcome] : 'Copy as Markdown'}</span>
    </Button>
  )
}

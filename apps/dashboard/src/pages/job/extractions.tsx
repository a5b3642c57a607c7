import Download from 'virtual:icons/download'
import { Tabs } from '@base-ui/react/tabs'
import type { ExtractionResult } from '@subtext/sdk'
import { useState } from 'react'
import { formatTime } from '../../format.ts'
import { BUTTON_LINK } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { TAB, TAB_LIST } from '../../ui/tabs.ts'
import { nameTemplate } from '../../vocabulary.ts'
import { FilledForm } from '../templates/filled-form.tsx'
import { CitationButton } from './citation-button.tsx'

const hasCards = ({ template, data }: ExtractionResult): boolean =>
  template === 'flashcards' && Array.isArray(data.cards) && data.cards.length > 0

interface ExtractionsProps {
  jobId: string
  extractions: Record<string, ExtractionResult>
  lit: number | null
  onCite: (seconds: number) => void
}

/** The templates that were filled, as tabs. */
export function Extractions({ jobId, extractions, lit, onCite }: ExtractionsProps) {
  const filled = Object.values(extractions)
  const [chosen, setChosen] = useState<string | null>(null)
  const current = chosen ?? filled[0]?.template
  if (current === undefined) return null
  return (
    <Tabs.Root value={current} onValueChange={(value) => setChosen(value as string)}>
      <Tabs.List aria-label="Templates" className={cx(TAB_LIST, 'mb-4')}>
        {filled.map(({ template }) => (
          <Tabs.Tab key={template} value={template} className={TAB}>
            {nameTemplate(template)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {filled.map((extraction) => (
        <Tabs.Panel key={extraction.template} value={extraction.template} className="outline-offset-4">
          <FilledForm
            extraction={extraction}
            showMoment={({ start, quote }) => (
              <CitationButton seconds={start} title={quote} isLit={lit === start} onCite={onCite}>
                {formatTime(start)}
              </CitationButton>
            )}
          />
          {hasCards(extraction) && (
            <p className="mt-4">
              <a href={`/api/v1/videos/result/${jobId}?format=anki&download=1`} download className={BUTTON_LINK}>
                <Download className="size-4" aria-hidden="true" />
                Cards for Anki
              </a>
            </p>
          )}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}

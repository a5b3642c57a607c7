import type { SummaryMode } from '@subtext/sdk'
import { Chip } from '../ui/chip.tsx'
import { MODES } from '../vocabulary.ts'

interface ModeChoiceProps {
  offered: readonly SummaryMode[]
  /** No mode stands for the transcript alone. */
  modes: SummaryMode[]
  onModes: (modes: SummaryMode[]) => void
  /** Whether something else is made of the transcript. */
  hasOthers?: boolean
}

/** The summaries to write, or the transcript alone. */
export function ModeChoice({ offered, modes, onModes, hasOthers = false }: ModeChoiceProps) {
  const toggle = (mode: SummaryMode) =>
    onModes(modes.includes(mode) ? modes.filter((other) => other !== mode) : [...modes, mode])
  const isAlone = modes.length === 0
  return (
    <>
      {MODES.filter(([mode]) => offered.includes(mode)).map(([mode, name]) => (
        <Chip key={mode} name={name} isChosen={modes.includes(mode)} onToggle={() => toggle(mode)} />
      ))}
      <Chip
        name={hasOthers ? 'No summary' : 'Transcript only'}
        isChosen={isAlone}
        onToggle={() => onModes(isAlone ? ['tldr'] : [])}
      />
    </>
  )
}

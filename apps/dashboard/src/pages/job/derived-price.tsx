import type { Job } from '@subtext/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { subtext } from '../../api/client.ts'
import { formatUsdRange } from '../../format.ts'
import { type Addition, toEstimate } from './addition.ts'

const SETTLED_MS = 500

/** Returns a text once it has not changed for half a second, so that typing does not send a request with every letter. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** The estimated price of the derived job. */
export function DerivedPrice({ job, addition }: { job: Job; addition: Addition }) {
  const isChosen = addition.chosen.length + addition.templates.length > 0
  const instructions = useSettled(addition.instructions)
  const request = toEstimate(job, { ...addition, instructions })
  const estimate = useQuery({
    queryKey: ['estimate', request],
    queryFn: ({ signal }) => subtext.videos.estimate(request, { signal }),
    enabled: isChosen,
    placeholderData: (known) => known,
  })
  const describe = (): string => {
    if (!isChosen) return 'Choose what to add'
    if (estimate.isError) return 'Not available'
    if (!estimate.data) return '…'
    const { cost_usd: cost } = estimate.data
    return cost.high === 0 ? 'Free' : formatUsdRange(cost)
  }
  return (
    <p className="flex items-baseline justify-between gap-4 border-t border-line pt-3 text-sm" aria-live="polite">
      <span className="text-muted">Estimated price</span>
      <span className="font-medium tabular-nums">{describe()}</span>
    </p>
  )
}

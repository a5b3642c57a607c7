import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { describeError, isPlanError } from '../api/client.ts'
import { Button } from './button.tsx'
import { EmptyState } from './page.tsx'

interface QueryViewProps<T> {
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
}

/** Shows what was asked for; until then that it is loading; and if it failed, why, and a button to try again. */
export function QueryView<T>({ query, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (isPlanError(query.error)) {
    return (
      <EmptyState title="Not part of your plan">
        This needs a higher plan. Ask the operator of this installation to change yours.
      </EmptyState>
    )
  }
  if (query.isError) {
    return (
      <div role="alert" className="flex flex-col items-start gap-3 rounded-xl bg-danger-soft p-4 text-sm text-danger">
        {describeError(query.error)}
        <Button onClick={() => void query.refetch()}>Try again</Button>
      </div>
    )
  }
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only" role="status">
        Loading
      </span>
      {[70, 90, 55].map((width) => (
        <div key={width} className="h-5 animate-pulse rounded bg-sunken" style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}

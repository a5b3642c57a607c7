import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { describeError, isForbidden, isNotFound, isPlanError, isSessionEnded } from '../api/errors.ts'
import { BUTTON_LINK, Button } from './button.tsx'
import { Message } from './message.tsx'
import { NotFound } from './not-found.tsx'
import { EmptyState } from './page.tsx'

interface QueryViewProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** The heading of the page until the data provides it. */
  fallbackTitle?: string
  children: (data: T) => ReactNode
}

/** Shows the data, or that it is loading, or why loading failed and a button to try again. */
export function QueryView<T>({ query, fallbackTitle, children }: QueryViewProps<T>) {
  const { data, error } = query
  if (data !== undefined) {
    return (
      <>
        {error && <Failure query={query} error={error} isOutdated />}
        {children(data)}
      </>
    )
  }
  return (
    <>
      {fallbackTitle && !isNotFound(error) && (
        <h1 className="mb-6 text-2xl font-semibold tracking-tight">{fallbackTitle}</h1>
      )}
      {error ? <Explanation query={query} error={error} /> : <Loading />}
    </>
  )
}

function Explanation<T>({ query, error }: FailureProps<T>) {
  if (isPlanError(error)) return <NotInPlan />
  return isNotFound(error) ? <NotFound /> : <Failure query={query} error={error} />
}

const NotInPlan = () => (
  <EmptyState title="Not part of your plan">
    This requires a higher plan. Ask the operator of this installation to change yours.
  </EmptyState>
)

interface FailureProps<T> {
  query: QueryViewProps<T>['query']
  error: Error
  /** Whether what was loaded before is still shown. */
  isOutdated?: boolean
}

function Failure<T>({ query, error, isOutdated = false }: FailureProps<T>) {
  const next = useRouterState({ select: ({ location }) => location.href })
  return (
    <div
      role="alert"
      className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-2xl bg-danger-soft px-5 py-4 text-sm text-danger"
    >
      <p className="min-w-0 flex-1 basis-64">
        {isOutdated && 'What you see may be out of date. '}
        <Message text={describeError(error)} />
      </p>
      {isSessionEnded(error) ? (
        <Link to="/sign-in" search={{ next }} className={BUTTON_LINK}>
          Sign in
        </Link>
      ) : (
        !isForbidden(error) && (
          <Button busy={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        )
      )}
    </div>
  )
}

const Loading = () => (
  <div aria-busy="true" className="flex flex-col gap-3">
    <span className="sr-only" role="status">
      Loading
    </span>
    {[70, 90, 55].map((width) => (
      <div key={width} className="h-5 animate-pulse rounded bg-sunken" style={{ width: `${width}%` }} />
    ))}
  </div>
)

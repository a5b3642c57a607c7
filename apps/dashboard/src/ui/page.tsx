import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: string
  description?: ReactNode
  actions?: ReactNode
}

/** The heading of a page, what it is for, and what can be done on it. */
export function PageHeader({ title, description, actions }: PageHeaderProps) {
  return (
    <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        <title>{`${title} · Subtext`}</title>
        <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">
          <bdi>{title}</bdi>
        </h1>
        {description && <p className="max-w-prose text-sm text-pretty wrap-anywhere text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}

/** Leads from the page of one thing to the list of all. */
export const BackLink = ({ to, children }: { to: LinkProps['to']; children: string }) => (
  <Link to={to} className="mb-3 inline-block text-sm text-accent underline-offset-4 hover:underline">
    {children}
  </Link>
)

interface EmptyStateProps {
  title: string
  /** Whether there is nothing else on the page, so that the title is its heading. */
  isPage?: boolean
  children: ReactNode
}

/** The content of an empty page: what will be here, and how to get it. */
export function EmptyState({ title, isPage = false, children }: EmptyStateProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className="flex flex-col items-center gap-2 rounded-2xl border border-dashed border-line px-6 py-14 text-center">
      {isPage && <title>{`${title} · Subtext`}</title>}
      <Heading className={isPage ? 'text-2xl font-semibold tracking-tight' : 'font-medium'}>{title}</Heading>
      <div className="max-w-md text-sm leading-relaxed text-balance text-muted">{children}</div>
    </div>
  )
}

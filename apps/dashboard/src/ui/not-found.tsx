import { Link } from '@tanstack/react-router'
import { EmptyState } from './page.tsx'

export function NotFound() {
  return (
    <EmptyState title="There is nothing here" isPage>
      The address may be wrong, or what was here has been deleted.{' '}
      <Link to="/" className="text-accent underline underline-offset-4">
        Go to the home page
      </Link>
    </EmptyState>
  )
}

import { Link } from '@tanstack/react-router'
import { BUTTON_LINK } from './button.tsx'
import { EmptyState } from './page.tsx'

export function NotFound() {
  return (
    <EmptyState title="Page not found" isPage>
      <p>The address may be wrong, or the page may have been deleted.</p>
      <p className="mt-5 flex flex-wrap justify-center gap-2">
        <Link to="/" className={BUTTON_LINK}>
          Go to the home page
        </Link>
        <Link to="/jobs" className={BUTTON_LINK}>
          See your jobs
        </Link>
      </p>
    </EmptyState>
  )
}

import { Button } from './button.tsx'
import { EmptyState } from './page.tsx'

/** Shown in place of a page that fails, such as one whose script was replaced by a new release while it was open. */
export const ErrorPage = () => (
  <EmptyState title="This page could not be shown" isPage>
    <p role="alert">Reload it. If that does not help, the service may be restarting: wait a moment, and try again.</p>
    <div className="mt-5 flex justify-center">
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </div>
  </EmptyState>
)

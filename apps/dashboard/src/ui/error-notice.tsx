import { describeError, isSessionEnded } from '../api/errors.ts'
import { Message } from './message.tsx'
import { Notice } from './notice.tsx'

/** Shows why something failed, in a form whose content is kept. Shows nothing if nothing has failed. */
export function ErrorNotice({ error }: { error: Error | null | undefined }) {
  if (!error) return null
  return (
    <Notice tone="danger">
      <Message text={describeError(error)} />
      {isSessionEnded(error) && <SignInElsewhere />}
    </Notice>
  )
}

/** A link to sign in that leaves the page, and what was typed there, as it is. */
export function SignInElsewhere() {
  return (
    <>
      {' '}
      <a href="/sign-in" target="_blank" rel="noopener" className="font-medium underline underline-offset-4">
        Sign in (opens a new tab)
      </a>
    </>
  )
}

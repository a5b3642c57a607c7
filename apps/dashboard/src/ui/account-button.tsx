import { lazy, Suspense, useState } from 'react'
import type { Session } from '../api/session.ts'
import { ROUND_BUTTON } from './button.tsx'

const load = () => import('./account-menu.tsx')
const AccountMenu = lazy(async () => ({ default: (await load()).AccountMenu }))

/** The initial of the person who is signed in. The menu is loaded on demand, so that no page waits for it. */
export function AccountButton(session: Session) {
  const [isWanted, setWanted] = useState(false)
  const { email, name } = session.user
  const button = (
    <button
      type="button"
      aria-label="Account"
      aria-haspopup="menu"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
      className={ROUND_BUTTON}
    >
      {(name || email).slice(0, 1)}
    </button>
  )
  return isWanted ? (
    <Suspense fallback={button}>
      <AccountMenu {...session} />
    </Suspense>
  ) : (
    button
  )
}

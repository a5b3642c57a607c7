import { Menu } from '@base-ui/react/menu'
import { Link } from '@tanstack/react-router'
import type { Session } from '../api/session.ts'
import { signOut } from '../api/session-sync.ts'
import { ROUND_BUTTON } from './button.tsx'

const ITEM = 'block w-full rounded-md px-3 py-2 text-start text-sm outline-none data-highlighted:bg-sunken'

/** The person who is signed in, and the button to sign out. It is loaded on demand and opens at once. */
export function AccountMenu({ user: { email, name } }: Session) {
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger aria-label="Account" className={ROUND_BUTTON}>
        {(name || email).slice(0, 1)}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner positionMethod="fixed" sideOffset={6} align="end" className="z-30">
          <Menu.Popup className="min-w-52 rounded-xl border border-line bg-surface p-1 shadow-xl outline-none">
            <div className="max-w-72 px-3 py-2 text-xs wrap-anywhere text-muted">{email}</div>
            <Menu.Item className={ITEM} render={<Link to="/settings">Settings</Link>} />
            <Menu.Item className={ITEM} onClick={() => void signOut()}>
              Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

import ChevronDown from 'virtual:icons/chevron-down'
import Download from 'virtual:icons/download'
import { Menu } from '@base-ui/react/menu'
import { Button } from './button.tsx'
import { MENU_ITEM } from './control.ts'

interface FileItem {
  name: string
  /** What the name of the file ends with. */
  suffix: string
  /** A link that the browser saves. */
  save: string
}

interface FileMenuProps {
  label: string
  items: FileItem[]
  align?: 'start' | 'end' | undefined
}

/** Files in several formats. After a link the menu stays open, so that several files need one click each. */
export function FileMenu({ label, items, align = 'end' }: FileMenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger
        render={
          <Button>
            <Download className="size-4" aria-hidden="true" />
            {label}
            <ChevronDown className="size-4" aria-hidden="true" />
          </Button>
        }
      />
      <Menu.Portal>
        <Menu.Positioner positionMethod="fixed" sideOffset={6} align={align} className="z-30">
          <Menu.Popup className="min-w-56 rounded-xl border border-line bg-surface p-1 shadow-xl outline-none">
            {items.map((item) => (
              <FileMenuItem key={item.name} {...item} />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function FileMenuItem({ name, suffix, save }: FileItem) {
  const link = (
    <a href={save} download>
      {name}
      <span className="text-muted">{suffix}</span>
    </a>
  )
  return <Menu.Item closeOnClick={false} className={MENU_ITEM} render={link} />
}

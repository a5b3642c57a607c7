import ChevronDown from 'virtual:icons/chevron-down'
import Download from 'virtual:icons/download'
import { Menu } from '@base-ui/react/menu'
import { Button } from '../../ui/button.tsx'
import { MENU_ITEM } from '../../ui/control.ts'
import { useDownloads } from '../../ui/downloads.ts'

/** Every format of a result, as links that the browser saves. The menu stays open, so that several need one click each. */
export function DownloadMenu({ jobId }: { jobId: string }) {
  const formats = useDownloads()
  return (
    <Menu.Root>
      <Menu.Trigger
        render={
          <Button>
            <Download className="size-4" aria-hidden="true" />
            Download
            <ChevronDown className="size-4" aria-hidden="true" />
          </Button>
        }
      />
      <Menu.Portal>
        <Menu.Positioner positionMethod="fixed" sideOffset={6} align="end" className="z-30">
          <Menu.Popup className="min-w-56 rounded-xl border border-line bg-surface p-1 shadow-xl outline-none">
            {formats.map(({ name, suffix, hrefOf }) => (
              <Menu.Item
                key={name}
                closeOnClick={false}
                className={MENU_ITEM}
                render={
                  <a href={hrefOf(jobId)} download>
                    {name}
                    <span className="text-muted">{suffix}</span>
                  </a>
                }
              />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

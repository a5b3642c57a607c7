import ChevronDown from 'virtual:icons/chevron-down'
import Download from 'virtual:icons/download'
import { Menu } from '@base-ui/react/menu'
import type { Job } from '@subtext/sdk'
import { Button } from '../../ui/button.tsx'
import { MENU_ITEM } from '../../ui/control.ts'
import { useDownloads } from '../../ui/downloads.ts'

/** Browsers drop downloads that begin at the same moment. */
const PAUSE_MS = 400

async function saveAll(links: readonly string[]): Promise<void> {
  for (const href of links) {
    const link = document.createElement('a')
    link.href = href
    link.download = ''
    link.click()
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

/** Saves one document for each job, in the chosen format. */
export function ExportMenu({ jobs }: { jobs: Job[] }) {
  const formats = useDownloads()
  return (
    <Menu.Root>
      <Menu.Trigger
        render={
          <Button>
            <Download className="size-4" aria-hidden="true" />
            Export
            <ChevronDown className="size-4" aria-hidden="true" />
          </Button>
        }
      />
      <Menu.Portal>
        <Menu.Positioner positionMethod="fixed" sideOffset={6} align="start" className="z-30">
          <Menu.Popup className="min-w-56 rounded-xl border border-line bg-surface p-1 shadow-xl outline-none">
            {formats.map(({ name, suffix, hrefOf }) => (
              <Menu.Item
                key={name}
                className={MENU_ITEM}
                onClick={() => void saveAll(jobs.map(({ job_id }) => hrefOf(job_id)))}
              >
                {name}
                <span className="text-muted">{suffix}</span>
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

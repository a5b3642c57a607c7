import ChevronDown from 'virtual:icons/chevron-down'
import Download from 'virtual:icons/download'
import { Menu } from '@base-ui/react/menu'
import { DOCUMENT_FORMATS } from '@subtext/sdk/vocabulary'
import { Button } from './button.tsx'

const DOCUMENTS = Object.entries(DOCUMENT_FORMATS).map(([format, { name, extension, isTranscript }]) => ({
  format,
  name,
  suffix: `.${extension}`,
  isTranscript,
}))
/** The documents of a whole result, and those of its transcript. */
export const RESULT_DOCUMENTS = DOCUMENTS.filter(({ isTranscript }) => !isTranscript)
export const TRANSCRIPT_DOCUMENTS = DOCUMENTS.filter(({ isTranscript }) => isTranscript)

interface FileLink {
  href: string
  name: string
  /** What the name of the file ends with. */
  suffix: string
}

const ITEM = 'flex justify-between gap-6 rounded-md px-3 py-2 text-sm outline-none data-highlighted:bg-sunken'

/** Links that the browser saves. The menu stays open, so that several need one click each. */
export function FileMenu({ label, links }: { label: string; links: FileLink[] }) {
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
        <Menu.Positioner positionMethod="fixed" sideOffset={6} align="end" className="z-30">
          <Menu.Popup className="min-w-56 rounded-xl border border-line bg-surface p-1 shadow-xl outline-none">
            {links.map(({ href, name, suffix }) => (
              <Menu.Item
                key={href}
                closeOnClick={false}
                className={ITEM}
                render={
                  <a href={href} download>
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

import ChevronDown from 'virtual:icons/chevron-down'
import Download from 'virtual:icons/download'
import { Menu } from '@base-ui/react/menu'
import { DOCUMENT_FORMATS } from '@subtext/sdk/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../api/account.ts'
import { Button } from '../../ui/button.tsx'

const DOCUMENTS = Object.entries(DOCUMENT_FORMATS).map(([format, { name, extension, isTranscript }]) => ({
  format,
  name,
  suffix: `.${extension}`,
  isTranscript,
}))
/** The formats in the order of the menu: those of the whole result before those of the transcript. */
const FORMATS = [
  ...DOCUMENTS.filter(({ isTranscript }) => !isTranscript),
  { format: 'json', name: 'JSON', suffix: '.json' },
  ...DOCUMENTS.filter(({ isTranscript }) => isTranscript),
]

const ITEM = 'flex justify-between gap-6 rounded-md px-3 py-2 text-sm outline-none data-highlighted:bg-sunken'

/** Every format of a result, as links that the browser saves. The menu stays open, so that several need one click each. */
export function DownloadMenu({ jobId }: { jobId: string }) {
  const { data: account } = useQuery(accountQuery)
  const hasPdf = account?.features.includes('pdf_export') ?? false
  const links = FORMATS.map(({ format, name, suffix }) => ({
    href: `/api/v1/videos/result/${jobId}?format=${format}&download=1`,
    name,
    suffix,
  }))
  if (hasPdf) links.unshift({ href: `/api/v1/videos/export/${jobId}/pdf`, name: 'PDF', suffix: '.pdf' })
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

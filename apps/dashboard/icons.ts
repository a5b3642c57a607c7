import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const { icons } = require('@iconify-json/lucide/icons.json') as {
  icons: Record<string, { body: string }>
}

const PREFIX = 'virtual:icons/'

/** Makes each icon of Lucide a component, imported by its name: `import Search from 'virtual:icons/search'`. */
export const lucideIcons = (): Plugin => ({
  name: 'lucide-icons',
  resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith(`\0${PREFIX}`)) return undefined
    const name = id.slice(PREFIX.length + 1)
    const icon = icons[name]
    if (!icon) throw new Error(`Lucide has no icon named ${name}.`)
    return `import { createIcon } from '/src/ui/create-icon.tsx'\nexport default createIcon(${JSON.stringify(icon.body)})`
  },
})

// Generates the database client, if it is not up to date: `npm run generate`.
import { generateClient } from './generate-client.mjs'
import { withLock } from './lock.mjs'
import { print, ROOT } from './root.mjs'

await withLock(ROOT, print, () => generateClient(ROOT, print))

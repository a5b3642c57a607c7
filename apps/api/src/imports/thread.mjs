// Worker threads do not inherit the loader of the process (Node 20), so each thread registers it for itself.
import { register } from 'tsx/esm/api'

register()
await import('./thread.ts')

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../paths.ts'
import { GENERATED } from './generated.ts'

for (const [path, build] of Object.entries(GENERATED)) writeFileSync(join(ROOT, path), build())

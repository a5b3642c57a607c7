import { compareSettings } from './scaling/compare.ts'

for (const [deployment, table] of Object.entries(compareSettings())) process.stdout.write(`${deployment}\n\n${table}\n`)

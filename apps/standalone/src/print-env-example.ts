import { buildEnvExample } from './env-example.ts'

process.stdout.write(buildEnvExample())

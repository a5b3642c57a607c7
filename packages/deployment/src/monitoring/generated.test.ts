import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../paths.ts'
import { GENERATED } from './generated.ts'

const UPDATE = 'npm run monitoring -w @subtext/deployment'

test.each(Object.keys(GENERATED))(`%s is up to date; ${UPDATE} writes it`, (path) => {
  expect(GENERATED[path]?.()).toBe(readFileSync(join(ROOT, path), 'utf8'))
})

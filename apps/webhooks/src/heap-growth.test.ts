import { execFileSync } from 'node:child_process'

import { HEAP_GROWTH_FLAG } from './heap-growth.ts'

test('the flag is one that this Node.js knows', () => {
  expect(() => execFileSync(process.execPath, [HEAP_GROWTH_FLAG, '--eval', '0'], { stdio: 'pipe' })).not.toThrow()
})

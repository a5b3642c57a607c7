import type { ListedKey } from '@subtext/core/api-keys'
import { keysAsTable } from './key-table.ts'

const key: ListedKey = {
  id: '0190a5b2-0000-7000-8000-000000000001',
  userId: '0190a5b2-0000-7000-8000-000000000002',
  name: null,
  prefix: 'sk_1a2b3c',
  lastFour: '9f0e',
  label: 'sk_1a2b3c…9f0e',
  email: 'ann@example.org',
  plan: 'pro',
  scopes: ['read'],
  state: 'active',
  createdAt: new Date('2026-11-22T12:00:00Z'),
  lastUsedAt: null,
  expiresAt: null,
  disabledAt: null,
  revokedAt: null,
}

test('shows characters that steer the terminal as question marks, and keeps the columns aligned', () => {
  const table = keysAsTable([key, { ...key, email: '\u001b[2Jann\u202e@example.org' }])
  const [head = '', first = '', second = ''] = table.split('\n')
  expect(second).toContain('?[2Jann?@example.org')
  expect(table).not.toMatch(/[^\P{C}\n]/u)
  for (const line of [first, second]) expect(line.indexOf('pro')).toBe(head.indexOf('PLAN'))
})

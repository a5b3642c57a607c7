import { useTestAccounts } from './testing/use-test-accounts.ts'

const { db, join, newEmail } = useTestAccounts()

test('a session that is only extended does not count as a new sign-in', async () => {
  const email = newEmail()
  const browser = await join(email)
  await db.query(
    `UPDATE sessions SET authenticated_at = now() - interval '2 days', expires_at = now() + interval '5 days'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  )
  const { status, headers } = await browser.send('get', '/auth/get-session')
  expect([status, String(headers['set-cookie'])]).toEqual([200, expect.stringContaining('session_token')])
  const { rows } = await db.query<{ isRecent: boolean }>(
    `SELECT s.authenticated_at > now() - interval '1 day' AS "isRecent"
     FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1`,
    [email],
  )
  expect(rows).toEqual([{ isRecent: false }])
})

import { PASSWORD, useTestAccounts } from './testing/use-test-accounts.ts'

const { db, browse, openBeside, join, newEmail } = useTestAccounts()

const withoutMail = () => openBeside({}, async () => 'MAIL_DIR cannot be written.')()

test.each([
  ['/auth/sign-up/email', { password: PASSWORD, name: '' }],
  ['/auth/sign-in/magic-link', {}],
  ['/auth/request-password-reset', {}],
])('%s says that no email can be sent, the same for every address, and stores nothing', async (path, body) => {
  const member = newEmail()
  await join(member)
  const emails = await db.prisma.email.count()
  const signUps = await db.prisma.signUp.count()
  for (const email of [member, newEmail()]) {
    const refused = await withoutMail().send('post', path, { email, ...body })
    expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(refused.text).toMatch(/cannot send email.*sign-in-link/)
  }
  expect([await db.prisma.email.count(), await db.prisma.signUp.count()]).toEqual([emails, signUps])
})

test('signing in with a password needs no email', async () => {
  const email = newEmail()
  await join(email)
  expect((await withoutMail().send('post', '/auth/sign-in/email', { email, password: PASSWORD })).status).toBe(200)
})

test('the sign-in page learns whether links can be sent', async () => {
  expect((await withoutMail().send('get', '/auth/options')).body).toMatchObject({ email: false })
  expect((await browse().send('get', '/auth/options')).body).toMatchObject({ email: true })
})

import {
  createFirstOwnerLink,
  createOwnerLink,
  createSupportLink,
  firstOwnerUrl,
  signInLinkUrl,
} from '@subtext/core/accounts'
import { listActions, setOperator, suspendAccount } from '@subtext/core/operations'
import { TEST_ORIGIN } from './testing/browser.ts'
import { PASSWORD, useTestAccounts } from './testing/use-test-accounts.ts'

let now = Date.now()
const clock = () => new Date(now)
const { db, mail, browse, newEmail, createByOperator } = useTestAccounts(() => ({ signUp: 'closed' }), clock)
const ctx = { db, clock, log: { info() {}, warn() {}, error() {} } }
const BY = { command: 'root on server' }

const ownerLink = async (email: string) =>
  signInLinkUrl(TEST_ORIGIN, await createOwnerLink(ctx, BY, { email, plan: 'free' }))
const isOpen = async (link: string) => (await browse().send('get', link)).status === 200
const actionsOf = async (email: string) => {
  const { actions } = await listActions(ctx, { limit: 10 })
  return actions.filter(({ accountEmail }) => accountEmail === email).map(({ action, command }) => [action, command])
}

describe('the link of the first owner', () => {
  const tokenOf = (url: string) => new URL(url).searchParams.get('setup') ?? ''
  const create = (token: string, email = newEmail()) =>
    browse().send('post', '/auth/sign-up/first', { token, email, password: PASSWORD, name: 'Ada' })

  test('creates one operator on the Pro plan, signs them in, and is offered to nobody else', async () => {
    const links = await Promise.all([createFirstOwnerLink(ctx), createFirstOwnerLink(ctx)])
    const tokens = links.map((link) => tokenOf(firstOwnerUrl(TEST_ORIGIN, link ?? { token: '', expiresAt: clock() })))
    expect((await create('0'.repeat(64))).status).toBe(400)
    const [email, browser] = [newEmail(), browse()]
    // An account that a command has created for its key becomes theirs.
    await createByOperator(email, 'plus')
    const body = { token: tokens[0], email, password: PASSWORD, name: 'Ada' }
    const answers = await Promise.all([browser.send('post', '/auth/sign-up/first', body), create(tokens[1] ?? '')])
    const created = answers.filter(({ status }) => status === 200)
    expect(created).toHaveLength(1)
    expect(JSON.stringify(created[0]?.body)).not.toContain(tokens[0])
    const people = await db.prisma.user.findMany({ where: { emailVerified: true } })
    expect(people).toMatchObject([{ isOperator: true, name: 'Ada' }])
    for (const token of tokens) expect((await create(token)).status).toBe(400)
    expect(await createFirstOwnerLink(ctx)).toBeNull()
    const again = browse()
    expect(
      (await again.send('post', '/auth/sign-in/email', { email: people[0]?.email, password: PASSWORD })).status,
    ).toBe(200)
    expect(await again.account()).toMatchObject({ email: people[0]?.email })
    expect(await actionsOf(people[0]?.email ?? '')).toEqual([['create_first_owner', null]])
  })
})

describe('a link for an owner', () => {
  test('signs in once, after a button was pressed, and confirms the address', async () => {
    const email = newEmail()
    await createByOperator(email, 'plus')
    const link = await ownerLink(email)
    const browser = browse()
    const page = await browser.send('get', link)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(`as <strong>${email}</strong>`)])
    expect(await browser.account()).toBeUndefined()
    const pressed = await browser.send('post', link)
    expect([pressed.status, pressed.headers.location]).toEqual([303, '/'])
    expect(await browser.account()).toMatchObject({ email, plan: 'plus' })
    const second = browse()
    expect((await second.send('post', link)).headers.location).toMatch(/error=INVALID_TOKEN/)
    expect(await second.account()).toBeUndefined()
    expect(await isOpen(link)).toBe(false)
    expect(await actionsOf(email)).toEqual([['create_owner_link', 'root on server']])
  })

  test('creates the account if there is none, whoever may sign up', async () => {
    const email = newEmail()
    const created = await createOwnerLink(ctx, BY, { email, plan: 'pro' })
    expect(created.accountCreated).toBe(true)
    const browser = browse()
    await browser.send('post', signInLinkUrl(TEST_ORIGIN, created))
    expect(await browser.account()).toMatchObject({ email, plan: 'pro' })
    expect((await createOwnerLink(ctx, BY, { email, plan: 'free' })).accountCreated).toBe(false)
    expect(await browser.account()).toMatchObject({ plan: 'pro' })
  })

  test('works for 15 minutes', async () => {
    const link = await ownerLink(newEmail())
    now += 15 * 60_000 - 1
    expect(await isOpen(link)).toBe(true)
    now += 1
    expect(await isOpen(link)).toBe(false)
    const browser = browse()
    await browser.send('post', link)
    expect(await browser.account()).toBeUndefined()
  })
})

describe('a link for support', () => {
  /** Creates the account of a person, and a browser in which an operator sees it. */
  async function see() {
    const email = newEmail()
    const owner = browse()
    await owner.send('post', await ownerLink(email))
    await db.prisma.user.update({ where: { email }, data: { isOperator: true } })
    const { id } = (await owner.account()) ?? { id: '' }
    const link = signInLinkUrl(TEST_ORIGIN, await createSupportLink(ctx, BY, id, 'Ticket 1'))
    const operator = browse()
    await operator.send('post', link)
    return { email, id, operator, link }
  }

  const asOperator = async () => {
    const email = newEmail()
    const browser = browse()
    await browser.send('post', await ownerLink(email))
    await setOperator(ctx, BY, email, true)
    return { email, browser, userId: (await browser.account())?.id ?? '' }
  }
  const seeAs = async (operatorId: string) => {
    const { id } = await see()
    const newLink = async () =>
      signInLinkUrl(TEST_ORIGIN, await createSupportLink(ctx, { userId: operatorId }, id, 'Ticket 1'))
    const browser = browse()
    await browser.send('post', await newLink())
    expect(await browser.account()).toBeDefined()
    return { browser, unopened: await newLink() }
  }
  const expectEnded = async ({ browser, unopened }: Awaited<ReturnType<typeof seeAs>>) => {
    expect(await browser.account()).toBeUndefined()
    expect((await browser.send('get', '/auth/get-session')).body).toEqual({})
    expect(await isOpen(unopened)).toBe(false)
    const late = browse()
    await late.send('post', unopened)
    expect(await late.account()).toBeUndefined()
  }

  test('shows nothing any more when its operator is suspended, or is no operator any more', async () => {
    const [dismissed, suspended] = [await asOperator(), await asOperator()]
    const seen = [await seeAs(dismissed.userId), await seeAs(suspended.userId)]
    await setOperator(ctx, BY, dismissed.email, false)
    await suspendAccount(ctx, BY, suspended.userId, null)
    for (const each of seen) await expectEnded(each)
  })

  test('shows nothing any more when its operator has chosen a new password', async () => {
    const operator = await asOperator()
    const seen = await seeAs(operator.userId)
    await browse().send('post', '/auth/request-password-reset', { email: operator.email })
    const followed = await browse().send('get', (await mail().next(operator.email)).link)
    const token = new URL(followed.headers.location ?? '', TEST_ORIGIN).searchParams.get('token') ?? ''
    expect((await browse().send('post', '/auth/reset-password', { token, newPassword: PASSWORD })).status).toBe(200)
    await expectEnded(seen)
  })

  test('shows the account for an hour, however much it is used', async () => {
    const { email, operator } = await see()
    expect(await operator.account()).toMatchObject({ email })
    now += 59 * 60_000
    expect((await operator.send('get', '/auth/get-session')).body).toMatchObject({ user: { email } })
    expect(await operator.account()).toMatchObject({ email })
    now += 60_000
    expect(await operator.account()).toBeUndefined()
    expect((await operator.send('get', '/auth/get-session')).body).toEqual({})
  })

  test('gives neither a recent sign-in, nor the rights of an operator, nor the attempts of a known browser', async () => {
    const { id, operator } = await see()
    expect(operator.cookies.has('subtext.known_browser')).toBe(false)
    const session = await db.prisma.session.findFirstOrThrow({ where: { userId: id, supportUntil: { not: null } } })
    expect(session.authenticatedAt).toEqual(new Date(0))
    const confirmed = await operator.send('post', '/auth/verify-password', { password: PASSWORD })
    expect(confirmed.status).toBe(400)
  })

  test('is refused for an account in which nobody has signed in, or that is suspended', async () => {
    const email = newEmail()
    await createByOperator(email)
    const { id } = await db.prisma.user.findUniqueOrThrow({ where: { email } })
    await expect(createSupportLink(ctx, BY, id, null)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await db.prisma.user.update({ where: { email }, data: { emailVerified: true, suspendedAt: clock() } })
    await expect(createSupportLink(ctx, BY, id, null)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(createOwnerLink(ctx, BY, { email, plan: 'free' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(createSupportLink(ctx, BY, 'x', null)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

test('links end with their account', async () => {
  const email = newEmail()
  const link = await ownerLink(email)
  await db.prisma.user.delete({ where: { email } })
  expect(await isOpen(link)).toBe(false)
})

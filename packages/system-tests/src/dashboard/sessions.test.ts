import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import { describeDashboard } from './use-dashboard.ts'

const VIDEO = watchUrl(SAMPLE_TALKS.english.id)
/** All but the last two lead to another site, if not at once then when they are resolved again. */
const TARGETS = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '/%5cevil.example',
  '/jobs?a=1',
]

describeDashboard(({ system, browser, visitor }) => {
  test('a session that ends in the middle of a form leaves the form as it is, and the next one sends it', async () => {
    const { page, userId, email } = await visitor.enter()
    await visitor.visit(page, '/')
    await page.getByLabel('Video URL').fill(VIDEO)
    await system.rows('DELETE FROM sessions WHERE user_id = $1', [userId])
    await page.getByRole('button', { name: 'Process video' }).click()
    // The form says it, and so does a list of the page that is refused meanwhile.
    await page.getByRole('alert').getByText('Your session has ended').first().waitFor()
    expect(await page.getByLabel('Video URL').inputValue()).toBe(VIDEO)
    const [cookie] = (await visitor.stateOf(email)).cookies
    if (cookie) await page.context().addCookies([cookie])
    await page.getByRole('button', { name: 'Process video' }).click()
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
  })

  test('a page of another account starts over when someone signs in to it in another tab', async () => {
    const { page, email } = await visitor.enter()
    await visitor.visit(page, '/settings')
    await page.getByText(email).waitFor()
    const other = await visitor.enter()
    const [cookie] = await other.page.context().cookies()
    if (cookie) await page.context().addCookies([cookie])
    const tab = await page.context().newPage()
    await visitor.visit(tab, '/settings')
    await page.getByText(other.email).waitFor()
    expect(await page.getByText(email, { exact: true }).count()).toBe(0)
  })

  test('a sign-out empties every tab, and the back button brings nothing back', async () => {
    const { page, email } = await visitor.enter()
    await visitor.visit(page, '/settings')
    const tab = await page.context().newPage()
    await visitor.visit(tab, '/settings')
    await tab.getByText(email).waitFor()
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Create an account' }).waitFor()
    await tab.waitForURL(/\/sign-in/)
    await page.goBack()
    await page.waitForURL(/\/sign-in/)
    expect(await page.content()).not.toContain(email)
  })

  test('signing in leads to no other site, whatever page an address names to return to', async () => {
    const page = await browser.open()
    const { origin } = new URL(system.baseUrl)
    const asked: unknown[] = []
    await page.route('**/auth/sign-in/magic-link', (route) => {
      asked.push((route.request().postDataJSON() as { callbackURL?: unknown }).callbackURL)
      return route.fulfill({ json: { status: true } })
    })
    for (const to of TARGETS) {
      await page.goto(`${origin}/return?to=${Buffer.from(to).toString('base64url')}`)
      await page.waitForURL((url) => url.pathname !== '/return')
      expect(new URL(page.url()).origin).toBe(origin)
    }
    for (const next of TARGETS) {
      await page.goto(`${origin}/sign-in?next=${encodeURIComponent(next)}`)
      await page.getByLabel('Email').fill('somebody@example.org')
      await page.getByRole('button', { name: 'Email me a link' }).click()
      await page.getByText('a link is on its way').waitFor()
    }
    // What leads elsewhere is replaced; a backslash that is encoded is a part of a path.
    const encoded = `/return?to=${Buffer.from('/%5cevil.example').toString('base64url')}`
    expect(asked).toEqual([...Array(TARGETS.length - 2).fill('/'), encoded, '/jobs?a=1'])
  })
})

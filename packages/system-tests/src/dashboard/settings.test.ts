import { readFile } from 'node:fs/promises'
import { describeDashboard } from './use-dashboard.ts'

describeDashboard(({ system, visitor }) => {
  test('someone downloads their data, and deletes the account', async () => {
    const { page, client, userId, email } = await visitor.enter()
    await visitor.visit(page, '/settings')
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export data' }).click()
    expect((await readFile(await (await saved).path())).subarray(0, 2).toString()).toBe('PK')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const remove = page.getByRole('button', { name: 'Delete everything' })
    await page.getByLabel('Email address').fill('somebody@example.org')
    expect(await remove.isDisabled()).toBe(true)
    await page.getByLabel('Email address').fill(email)
    await remove.click()
    await page.getByRole('link', { name: 'Create an account' }).waitFor()
    await visitor.visit(page, '/jobs')
    await page.waitForURL(/\/sign-in/)
    expect((await client.get('/videos/')).status).toBe(401)
    expect(await system.rows('SELECT id FROM users WHERE id = $1 AND email = $2', [userId, email])).toEqual([])
  })

  test('someone changes the name, and ends another session', async () => {
    const { page, email } = await visitor.enter()
    const other = await visitor.return(email)
    await visitor.visit(page, '/settings')
    await page.getByLabel('Name').fill('Grace Hopper')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('button', { name: /^Sign out / }).click()
    await page.getByRole('button', { name: /^Sign out / }).waitFor({ state: 'detached' })
    await visitor.visit(other, '/jobs')
    await other.waitForURL(/\/sign-in/)
  })

  test('someone chooses the time zone of digests', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/settings')
    await page.getByLabel('Zone', { exact: true }).selectOption('America/New_York')
    await page.getByRole('button', { name: 'Save time zone' }).click()
    await page.getByText('Saved.').waitFor()
    const account = await page.request.get(`${system.baseUrl}/api/v1/account`)
    expect((await account.json()).data).toMatchObject({ time_zone: 'America/New_York' })
  })

  test('a person without a password confirms the identity by signing in again, and comes back', async () => {
    const { page, userId } = await visitor.enter()
    // Before the first request, because a process may know a session for a second.
    await system.rows(`UPDATE sessions SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`, [userId])
    await visitor.visit(page, '/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('Nightly import')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    const again = dialog.getByRole('link', { name: 'Sign in again' })
    await again.waitFor()
    expect(await dialog.locator('input').count()).toBe(0)
    await again.click()
    await page.waitForURL('**/sign-in?next=%2Fkeys')
    await page.getByRole('button', { name: 'Email me a link' }).waitFor()
  })

  test('the theme follows the system while a page is open, until one is chosen', async () => {
    const { page } = await visitor.enter({ theme: 'light' })
    const isDark = () => page.evaluate(`document.documentElement.classList.contains('dark')`)
    await visitor.visit(page, '/')
    await page.getByRole('button', { name: 'Use the dark theme' }).waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Use the light theme' }).click()
    expect(await isDark()).toBe(false)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      // Listeners are called with the next frame.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      expect(await isDark()).toBe(false)
    }
  })

  test.each([
    ['dark', 'light'],
    ['light', 'dark'],
  ] as const)(
    'the %s theme that was chosen in the dashboard is that of pages outside it, where the system prefers the %s one',
    async (chosen, preferred) => {
      const { page } = await visitor.enter({ theme: preferred })
      const outside = ['/auth/magic-link/verify?token=none', '/auth/oauth/authorize?client_id=none']
      const listThemes = async () => {
        const themes: unknown[] = []
        for (const path of ['/', ...outside]) {
          await page.goto(system.baseUrl + path)
          await page.locator('h1').waitFor()
          themes.push(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'))
        }
        return themes
      }
      expect(await listThemes()).toEqual([preferred, preferred, preferred])
      await visitor.visit(page, '/')
      await page.getByRole('button', { name: `Use the ${chosen} theme` }).click()
      expect(await listThemes()).toEqual([chosen, chosen, chosen])
    },
  )
})

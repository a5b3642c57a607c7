import { describeDashboard } from './use-dashboard.ts'

describeDashboard(({ system, visitor }) => {
  test('connected applications are listed with their rights, and disconnected after a question', async () => {
    const { page, userId } = await visitor.enter()
    await visitor.connectApp(userId, 'Chat application', ['read', 'write'])
    await visitor.connectApp(userId, 'Reading list', ['read'])
    await visitor.visit(page, '/apps')
    const row = page.getByRole('listitem').filter({ hasText: 'Chat application' })
    await row.getByText('Can read your videos and submit new ones').waitFor()
    await row.getByText(/connected .* never used/).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Can read your videos, summaries and usage' }).waitFor()
    await row.getByRole('button', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disconnect Chat application?' })
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await row.getByRole('button', { name: 'Disconnect' }).click()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await row.waitFor({ state: 'detached' })
    const revoked = 'SELECT client_name FROM oauth_grants WHERE user_id = $1 AND revoked_at IS NOT NULL'
    expect(await system.rows(revoked, [userId])).toEqual([{ client_name: 'Chat application' }])
  })

  test('without any application, the page says how to connect one, and where the plan has none, which plan does', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/apps')
    await page.getByRole('heading', { name: 'No apps yet. Connect the first one' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Server address' }).inputValue()).toBe(system.mcpUrl)
    const free = await visitor.enter({ plan: 'free' })
    await visitor.visit(free.page, '/apps')
    await free.page.getByText('Apps are part of the Plus plan').waitFor()
  })
})

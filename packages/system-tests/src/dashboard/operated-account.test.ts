import { waitUntil } from '@subtext/embedded/testing'
import { findObstacles } from './open-browser.ts'
import { describeDashboard } from './use-dashboard.ts'

describeDashboard(({ system, visitor }) => {
  test('an operator changes the plan and quotas of an account, sees it, suspends, restores and deletes it', async () => {
    const owner = await visitor.enter({ plan: 'plus' })
    const { page } = await visitor.enter({ isOperator: true })
    await visitor.visit(page, '/operations')
    await page.getByRole('link', { name: owner.email }).first().click()
    await page.getByRole('heading', { name: owner.email }).waitFor()
    await page.getByRole('combobox', { name: 'Plan' }).selectOption('pro')
    await page.getByLabel('Videos per day').fill('77')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByText('0 of 77').waitFor()
    const log = page.getByRole('table', { name: 'What operators did' })
    await log.getByText('plan: plus to pro').waitFor()

    await page.getByRole('button', { name: 'Create a link' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Ticket 4711')
    await dialog.getByRole('button', { name: 'Create a link' }).click()
    const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const visited = await page.context().browser()?.newPage()
    if (!visited) throw new Error('The browser is closed.')
    await visited.goto(link)
    await visited.getByRole('button', { name: 'See this account' }).click()
    await visited.getByText(`You see the account of ${owner.email} for support`).waitFor()
    await visitor.visit(owner.page, '/settings')
    await owner.page.getByText('Support by an operator of the service').waitFor()
    await visited.close()

    await page.getByRole('button', { name: 'Suspend account' }).click()
    await dialog.getByLabel('Reason').fill('Unpaid.')
    expect(await findObstacles(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Suspend account' }).click()
    await page.getByRole('alert').getByText('Reason: Unpaid.').waitFor()
    expect(await findObstacles(page)).toEqual([])
    const status = async () => (await owner.page.request.get(`${system.baseUrl}/api/v1/account`)).status()
    expect(await status()).toBe(401)

    await page.getByRole('button', { name: 'Restore account' }).click()
    await page.getByRole('button', { name: 'Suspend account' }).waitFor()
    await page.getByRole('button', { name: 'Delete account' }).click()
    await dialog.getByLabel('Email address').fill(owner.email)
    await dialog.getByRole('button', { name: 'Delete everything' }).click()
    await page.getByRole('heading', { name: 'Operations', exact: true }).waitFor()
    await page.getByText('Deleted the account').first().waitFor()
    await waitUntil('the address is free', async () => {
      return (await system.rows('SELECT id FROM users WHERE email = $1', [owner.email])).length === 0
    })
  })
})

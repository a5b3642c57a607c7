import { waitUntil } from '@subtext/embedded/testing'
import type { DashboardWorld, Visitor } from './visitor.ts'

/** Tests of the pages for keys, webhooks and usage. */
export function testConsoles({ system }: DashboardWorld, visitor: Visitor): void {
  test('a key is shown once, works, is disabled, and is revoked', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('Nightly import')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your new key' })
    const key = await dialog.getByLabel('API key').inputValue()
    await dialog.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
    const use = async () => {
      const headers = { Authorization: `Bearer ${key}` }
      return (await fetch(`${system.baseUrl}/api/v1/usage/current`, { headers })).status
    }
    expect(await use()).toBe(200)
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect(await page.content()).not.toContain(key)
    await page.getByRole('button', { name: 'Disable Nightly import' }).click()
    await page.getByRole('button', { name: 'Enable Nightly import' }).waitFor()
    // A process may know a key for a second.
    await waitUntil('the disabled key is refused', async () => (await use()) === 401)
    await page.getByRole('button', { name: 'Revoke Nightly import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Nightly import' }).getByText('revoked').waitFor()
  })

  test('a test event is delivered, and delivered again on request', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/webhooks')
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByLabel('Receiver URL').fill(`${system.receiver.origin}/dashboard`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sent. The list shows').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /webhook\.test.*delivered/i }).click()
    await page.getByRole('table', { name: 'Attempts' }).getByRole('row').nth(1).waitFor()
    await page.getByRole('button', { name: 'Redeliver' }).click()
    await page.getByRole('table', { name: 'Attempts' }).getByRole('row').nth(2).waitFor()
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    expect(await page.getByRole('textbox', { name: 'New secret' }).inputValue()).toMatch(/^whsec_/)
  })
}

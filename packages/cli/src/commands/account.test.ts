import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCli, useFolders } from '../testing/run-cli.ts'

const makeFolder = useFolders()

describe('logout', () => {
  test('deletes the saved key, says that it stays valid, and that another one is set', async () => {
    const configFile = join(await makeFolder(), 'config.json')
    await writeFile(configFile, '{"apiKey":"sk_saved"}')
    const { code, stdout, stderr } = await runCli(['logout'], { configFile, apiKey: 'sk_x' })
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/has been deleted. The key stays valid until you revoke it.*\nSUBTEXT_API_KEY is still set/)
    expect(existsSync(configFile)).toBe(false)
    expect(await runCli(['list'], { configFile })).toMatchObject({ code: 2 })
  })

  test('does nothing where no key is saved', async () => {
    const configFile = join(await makeFolder(), 'config.json')
    expect(await runCli(['logout'], { configFile })).toEqual({ code: 0, stdout: '', stderr: 'No key was saved.\n' })
    const { stdout } = await runCli(['logout', '--json'], { configFile })
    expect(JSON.parse(stdout)).toEqual({ deleted: false, config_file: configFile })
  })
})

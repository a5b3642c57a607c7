import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMailCheck, reportMailProblem } from './emails.ts'
import { ApiEnv } from './env.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mail-check-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('creates the folder for emails', async () => {
  expect(await createMailCheck({ SMTP_URL: undefined, MAIL_DIR: join(folder, 'a/mail') })()).toBeNull()
  expect(await readdir(folder)).toEqual(['a'])
})

test('names the settings if the folder cannot be written', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  const check = createMailCheck({ SMTP_URL: undefined, MAIL_DIR: join(file, 'mail') })
  expect(await check()).toMatch(/^SMTP_URL is not set, .* MAIL_DIR, which is .*file\/mail \(ENOTDIR\)\.$/)
  // Whoever mends it need not start the service again.
  await rm(file)
  expect(await check()).toBeNull()
})

test('needs no folder beside a mail server', async () => {
  expect(await createMailCheck({ SMTP_URL: 'smtp://mail.example.org', MAIL_DIR: join(folder, 'mail') })()).toBeNull()
  expect(await readdir(folder)).toEqual([])
})

test('is reported when the service starts', async () => {
  const lines: unknown[] = []
  const file = join(folder, 'file')
  await writeFile(file, '')
  const env = ApiEnv.parse({
    DATABASE_URL: 'postgresql://db/subtext',
    REDIS_URL: 'redis://redis',
    WEBHOOK_SECRET_KEY: '0'.repeat(64),
    MAIL_DIR: join(file, 'mail'),
  })
  await reportMailProblem(env, { warn: (message, fields) => void lines.push([message, fields]) })
  expect(lines).toEqual([['no email can be sent', { reason: expect.stringContaining(file) }]])
})

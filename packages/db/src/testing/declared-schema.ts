import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg'

// Node.js has this class, but neither the compiler's libraries nor the types of Node.js 20 declare it.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>
}

const SCHEMA = new URL('../../../../prisma/schema.prisma', import.meta.url)
const WASM = createRequire(import.meta.url)
  .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  .replace(/\.js$/, '.wasm')

/**
 * Returns the SQL with which Prisma's own engine would create the database that `prisma/schema.prisma` declares. The
 * engine asks the server at `url` for its version and changes nothing.
 */
export async function writeDeclaredSchema(url: string): Promise<string> {
  await loadEngine()
  const files = [{ path: 'schema.prisma', content: await readFile(SCHEMA, 'utf8') }]
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: url }))
  const schemaEngine = await engine.SchemaEngine.new({ datamodels: undefined }, () => {}, factory)
  const { stdout } = await schemaEngine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  })
  schemaEngine.free()
  if (!stdout) throw new Error('Prisma wrote no SQL for the schema.')
  return stdout
}

/** Loads the WebAssembly module, which the package's own entry imports in a way that Node does not support. */
async function loadEngine(): Promise<void> {
  // The engine calls this when it panics; the error that it throws afterwards contains less.
  const registry = { set_message: (message: string) => process.stderr.write(`${message}\n`) }
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: registry })
  const { instance } = await WebAssembly.instantiate(await readFile(WASM), { './schema_engine_bg.js': { ...engine } })
  engine.__wbg_set_wasm(instance.exports)
  const { __wbindgen_start: start } = instance.exports
  if (typeof start === 'function') start()
}

import type pg from 'pg'

const TABLES = `WITH tables AS (
  SELECT oid, relname AS table FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations')`

const constraintsOf = (...types: string[]): string =>
  `SELECT conname AS name, "table" || ': ' || pg_get_constraintdef(pg_constraint.oid) AS definition
   FROM pg_constraint JOIN tables ON tables.oid = conrelid WHERE contype IN ('${types.join("', '")}')`

const QUERIES = {
  enums: `SELECT typname AS name, string_agg(enumlabel, ', ' ORDER BY enumsortorder) AS definition
    FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid GROUP BY typname`,
  columns: `SELECT "table" || '.' || attname AS name,
      format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END AS definition
    FROM pg_attribute JOIN tables ON tables.oid = attrelid WHERE attnum > 0 AND NOT attisdropped`,
  defaults: `SELECT "table" || '.' || attname AS name, pg_get_expr(adbin, adrelid) AS definition
    FROM pg_attrdef JOIN tables ON tables.oid = adrelid JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum`,
  indexes: `SELECT relname AS name, pg_get_indexdef(indexrelid) AS definition
    FROM pg_index JOIN tables ON tables.oid = indrelid JOIN pg_class ON pg_class.oid = indexrelid`,
  keys: constraintsOf('p', 'u', 'x'),
  foreignKeys: constraintsOf('f'),
  checks: constraintsOf('c'),
}

/** PostgreSQL's own definition of every object, by kind and name. */
export type Catalog = Record<string, Record<string, string>>

/** Reads the catalog of the schema `public`, without the table in which Prisma keeps its migrations. */
export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const catalog: Catalog = {}
  for (const [kind, query] of Object.entries(QUERIES)) {
    const { rows } = await client.query<{ name: string; definition: string }>(`${TABLES} ${query} ORDER BY 1`)
    catalog[kind] = Object.fromEntries(rows.map(({ name, definition }) => [name, definition]))
  }
  return catalog
}

import type { Db } from '@subtext/db'

/**
 * Who took and let go of which job and delivery, in the database itself: nothing a process says of itself is believed.
 * Tokens are compared as text, whatever type the column has.
 */
const INSTALL = `
CREATE TABLE chaos_leases (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  app text NOT NULL DEFAULT current_setting('application_name'),
  kind text NOT NULL, subject_id uuid NOT NULL, user_id uuid NOT NULL, old_token text, new_token text, held boolean
);
CREATE INDEX ON chaos_leases (new_token);
CREATE INDEX ON chaos_leases (old_token);
CREATE FUNCTION chaos_note_lease() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.lease_token::text IS DISTINCT FROM NEW.lease_token::text THEN
    INSERT INTO chaos_leases (kind, subject_id, user_id, old_token, new_token, held)
    VALUES (TG_TABLE_NAME, NEW.id, NEW.user_id, OLD.lease_token::text, NEW.lease_token::text, to_jsonb(NEW) @> '{"held": true}');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_note_lease AFTER UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION chaos_note_lease();
CREATE TRIGGER chaos_note_lease AFTER UPDATE ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION chaos_note_lease()`

export const installLeaseLog = (db: Db): Promise<unknown> =>
  INSTALL.split(/;\n(?=CREATE)/).reduce<Promise<unknown>>(
    (before, statement) => before.then(() => db.query(statement)),
    Promise.resolve(),
  )

/** Whether this process holds a lease at the moment. */
export async function isAtWork(db: Db, app: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT FROM chaos_leases l WHERE l.app = $1 AND l.new_token IS NOT NULL AND NOT EXISTS (
       SELECT FROM chaos_leases later WHERE later.old_token = l.new_token) LIMIT 1`,
    [app],
  )
  return rows.length > 0
}

/** Whether another process works at the moment on a job that was taken from this one. */
export async function hasSuccessor(db: Db, app: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT FROM chaos_leases l JOIN chaos_leases taken ON taken.old_token = l.new_token
     WHERE l.app = $1 AND l.kind = 'jobs' AND taken.app <> l.app AND taken.new_token IS NOT NULL AND NOT EXISTS (
       SELECT FROM chaos_leases later WHERE later.old_token = taken.new_token) LIMIT 1`,
    [app],
  )
  return rows.length > 0
}

/** Those of the processes that lost a lease they never gave back: they ended in the middle of something. */
export async function listInterrupted(db: Db, apps: string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ app: string }>(
    `SELECT DISTINCT l.app FROM chaos_leases l WHERE l.app = ANY ($1::text[]) AND l.new_token IS NOT NULL
     AND NOT EXISTS (SELECT FROM chaos_leases later WHERE later.old_token = l.new_token AND later.app = l.app)`,
    [apps],
  )
  return new Set(rows.map(({ app }) => app))
}

/** Jobs that so many processes in a row lost to another one. */
export async function listOftenLost(db: Db, times: number): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT held.subject_id AS id FROM chaos_leases held JOIN chaos_leases taken ON taken.old_token = held.new_token
     WHERE held.kind = 'jobs' AND taken.app <> held.app GROUP BY 1 HAVING count(*) >= $1`,
    [times],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Processes that have taken a job, or a delivery, since then. */
export async function listTakers(db: Db, since: Date): Promise<Set<string>> {
  const { rows } = await db.query<{ app: string }>(
    'SELECT DISTINCT app FROM chaos_leases WHERE new_token IS NOT NULL AND at >= $1',
    [since],
  )
  return new Set(rows.map(({ app }) => app))
}

/**
 * Times somebody ended or let go of a job that was another worker's. The owner may cancel through any API; a lease that
 * has run out may be taken away to hold the job back.
 */
export async function listFenceBreaches(db: Db): Promise<unknown[]> {
  const { rows } = await db.query(
    `SELECT ended.subject_id AS id, ended.app AS by, held.app AS holder, ended.at
     FROM chaos_leases ended JOIN chaos_leases held ON held.new_token = ended.old_token
     WHERE ended.new_token IS NULL AND ended.app <> held.app AND ended.kind = 'jobs' AND ended.app NOT LIKE 'api-%'
       AND NOT ended.held
     ORDER BY ended.at LIMIT 20`,
  )
  return rows
}

/** The most jobs of one account that were being worked on at once, dead workers' ones included until taken over. */
export async function measurePeakOfAccount(db: Db): Promise<number> {
  const { rows } = await db.query<{ peak: number }>(
    `SELECT coalesce(max(running), 0)::int AS peak FROM (
       SELECT sum((new_token IS NOT NULL)::int - (old_token IS NOT NULL)::int) OVER (PARTITION BY user_id ORDER BY seq)
         AS running FROM chaos_leases WHERE kind = 'jobs') counted`,
  )
  return rows[0]?.peak ?? 0
}

import type { Db } from '@subtext/db'

/**
 * Records in the database which process acquired and released the lease of which job or delivery, so that the checks do
 * not rely on what processes report. Tokens are compared as text, because a control changes the type of the column.
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

/** Returns whether this process currently holds a lease. */
export async function holdsLease(db: Db, app: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT FROM chaos_leases l WHERE l.app = $1 AND l.new_token IS NOT NULL AND NOT EXISTS (
       SELECT FROM chaos_leases later WHERE later.old_token = l.new_token) LIMIT 1`,
    [app],
  )
  return rows.length > 0
}

/** Returns whether Postgres is executing no statement of this process. */
export async function isBetweenStatements(db: Db, app: string): Promise<boolean> {
  const { rows } = await db.query(
    "SELECT FROM pg_stat_activity WHERE application_name = $1 AND state = 'active' LIMIT 1",
    [app],
  )
  return rows.length === 0
}

/** Returns whether another process currently works on a job that this process lost. */
export async function wasTakenOver(db: Db, app: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT FROM chaos_leases l JOIN chaos_leases taken ON taken.old_token = l.new_token
     WHERE l.app = $1 AND l.kind = 'jobs' AND taken.app <> l.app AND taken.new_token IS NOT NULL AND NOT EXISTS (
       SELECT FROM chaos_leases later WHERE later.old_token = taken.new_token) LIMIT 1`,
    [app],
  )
  return rows.length > 0
}

/** Returns those of the processes that never released a lease: they were interrupted at work. */
export async function listInterrupted(db: Db, apps: string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ app: string }>(
    `SELECT DISTINCT l.app FROM chaos_leases l WHERE l.app = ANY ($1::text[]) AND l.new_token IS NOT NULL
     AND NOT EXISTS (SELECT FROM chaos_leases later WHERE later.old_token = l.new_token AND later.app = l.app)`,
    [apps],
  )
  return new Set(rows.map(({ app }) => app))
}

/** Returns the jobs that were claimed again at least `times` times although a process had them, which may be the same one. */
export async function listRepeatedlyLost(db: Db, times: number): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT held.subject_id AS id FROM chaos_leases held JOIN chaos_leases taken ON taken.old_token = held.new_token
     WHERE held.kind = 'jobs' AND taken.new_token IS NOT NULL GROUP BY 1 HAVING count(*) >= $1`,
    [times],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Returns the processes that have claimed a job or a delivery since then. */
export async function listClaimants(db: Db, since: Date): Promise<Set<string>> {
  const { rows } = await db.query<{ app: string }>(
    'SELECT DISTINCT app FROM chaos_leases WHERE new_token IS NOT NULL AND at >= $1',
    [since],
  )
  return new Set(rows.map(({ app }) => app))
}

/**
 * Returns the cases in which a process ended or released a job leased to another worker. Two cases are legitimate: the
 * owner cancels a job through an API, and an expired lease is removed to hold the job back.
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

/** Returns the peak of concurrent jobs of one account. Jobs of dead workers count until they are taken over. */
export async function measurePeakJobs(db: Db): Promise<number> {
  const { rows } = await db.query<{ peak: number }>(
    `SELECT coalesce(max(running), 0)::int AS peak FROM (
       SELECT sum((new_token IS NOT NULL)::int - (old_token IS NOT NULL)::int) OVER (PARTITION BY user_id ORDER BY seq)
         AS running FROM chaos_leases WHERE kind = 'jobs') counted`,
  )
  return rows[0]?.peak ?? 0
}

import type { Db } from '@subtext/db'

export const FENCE_VIOLATION = 'a job was ended by a worker that had lost its lease'
export const SECOND_WRITER_VIOLATION = "a second writer's row was accepted"
export const RECEIVER_LIMIT_VIOLATION = 'a receiver got more concurrent deliveries than its limit'
export const ADDRESS_GUARD_VIOLATION = 'a webhook reached a private address'

/**
 * Safeguards that can be removed to verify that the checks notice their absence. Without `sweeper`, lost wake-ups are not
 * repeated. Without `fence`, a worker that lost its lease can still end the job. Without `unique`, the event of a second
 * writer is stored. Without `cap`, concurrent deliveries to a receiver are unlimited. Without `guard`, webhooks are sent
 * to any address.
 */
export const CONTROLS = ['sweeper', 'fence', 'unique', 'cap', 'guard'] as const
export type Control = (typeof CONTROLS)[number]

export const isControl = (text: string): text is Control => (CONTROLS as readonly string[]).includes(text)

/** Safeguards removed in the database, so that the service itself stays unchanged. */
const STATEMENTS: Partial<Record<Control, string[]>> = {
  // A waiting job never becomes due for the sweep. Its task can still be processed.
  sweeper: [
    `CREATE FUNCTION chaos_hide_from_sweep() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN NEW.wake_at := 'infinity'; RETURN NEW; END $$`,
    `CREATE TRIGGER chaos_hide_from_sweep BEFORE INSERT OR UPDATE ON jobs FOR EACH ROW WHEN (NEW.status = 'queued')
     EXECUTE FUNCTION chaos_hide_from_sweep()`,
  ],
  // Postgres has no built-in equality operator for varchar; this one considers all tokens equal.
  fence: [
    // It uses the column. Only metrics read it.
    'DROP VIEW lane_demand',
    'ALTER TABLE jobs ALTER COLUMN lease_token TYPE varchar',
    `CREATE FUNCTION chaos_any_token(varchar, varchar) RETURNS boolean IMMUTABLE STRICT LANGUAGE sql AS 'SELECT true'`,
    'CREATE OPERATOR = (FUNCTION = chaos_any_token, LEFTARG = varchar, RIGHTARG = varchar)',
  ],
  unique: ['DROP INDEX webhook_events_subject_id_type_key'],
}

const SETTINGS: Partial<Record<Control, Record<string, string>>> = {
  cap: { WEBHOOK_RECEIVER_CONCURRENCY: '100' },
}

/** The violation that must be found without the safeguard. */
export const EXPECTED_VIOLATIONS: Record<Control, string> = {
  sweeper: 'a job has not ended',
  fence: FENCE_VIOLATION,
  unique: SECOND_WRITER_VIOLATION,
  cap: RECEIVER_LIMIT_VIOLATION,
  guard: ADDRESS_GUARD_VIOLATION,
}

/** The fault that the safeguard protects against, where not every fault shows its absence. It occurs in every round. */
export const REQUIRED_FAULTS: Partial<Record<Control, string>> = { sweeper: 'redis emptied', fence: 'worker frozen' }

/** Removes a safeguard, and returns the settings that are part of its removal. */
export async function removeSafeguard(db: Db, control: Control | undefined): Promise<Record<string, string>> {
  if (control === undefined) return {}
  for (const statement of STATEMENTS[control] ?? []) await db.query(statement)
  return SETTINGS[control] ?? {}
}

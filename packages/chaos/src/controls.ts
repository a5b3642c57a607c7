import type { Db } from '@subtext/db'

/**
 * Safeguards that can be taken away, to see that the checks miss them:
 * `sweeper`: nobody repeats a lost wake-up. `fence`: a worker that lost its job may still end it. `unique`: a second
 * writer's event counts. `cap`: no bound on what one receiver gets at once. `guard`: webhooks go anywhere.
 */
export const CONTROLS = ['sweeper', 'fence', 'unique', 'cap', 'guard'] as const
export type Control = (typeof CONTROLS)[number]

export const isControl = (text: string): text is Control => (CONTROLS as readonly string[]).includes(text)

/** Done to the database, so that the service itself stays as it is. */
const STATEMENTS: Partial<Record<Control, string[]>> = {
  // What only puts off the next look at a job that is due is the sweep: such a row is left out of it.
  sweeper: [
    `CREATE FUNCTION chaos_hide_from_sweep() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF OLD.wake_at <= now() AND (NEW.status, NEW.attempts, NEW.progress, NEW.updated_at, NEW.lease_token::text)
         IS NOT DISTINCT FROM (OLD.status, OLD.attempts, OLD.progress, OLD.updated_at, OLD.lease_token::text)
       THEN RETURN NULL; END IF;
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER chaos_hide_from_sweep BEFORE UPDATE ON jobs FOR EACH ROW
     EXECUTE FUNCTION chaos_hide_from_sweep()`,
  ],
  // Postgres has no equality of its own for varchar: this one finds every token equal to every other.
  fence: [
    'ALTER TABLE jobs ALTER COLUMN lease_token TYPE varchar',
    `CREATE FUNCTION chaos_any_token(varchar, varchar) RETURNS boolean IMMUTABLE STRICT LANGUAGE sql AS 'SELECT true'`,
    'CREATE OPERATOR = (FUNCTION = chaos_any_token, LEFTARG = varchar, RIGHTARG = varchar)',
  ],
  unique: ['DROP INDEX webhook_events_subject_id_type_key'],
}

const SETTINGS: Partial<Record<Control, Record<string, string>>> = {
  cap: { WEBHOOK_RECEIVER_CONCURRENCY: '100' },
}

/** What has to be found without the safeguard: what it is there for. */
export const MISSED: Record<Control, string> = {
  sweeper: 'a job has not ended',
  fence: 'a job was ended by a worker that had lost it',
  unique: 'a second writer got something in',
  cap: 'a receiver got more at once than its share',
  guard: 'a webhook reached a private address',
}

/** The fault that the safeguard is there for, where not every fault calls for it: it comes every round. */
export const HAZARD: Partial<Record<Control, string>> = { sweeper: 'redis emptied', fence: 'worker frozen' }

export async function takeAway(db: Db, control: Control | undefined): Promise<Record<string, string>> {
  if (control === undefined) return {}
  for (const statement of STATEMENTS[control] ?? []) await db.query(statement)
  return SETTINGS[control] ?? {}
}

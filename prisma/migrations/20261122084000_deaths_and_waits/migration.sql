-- Deaths of workers are counted apart from attempts, and jobs remember since when they wait for the platform. A constant
-- default rewrites no row.
ALTER TABLE "jobs" ADD COLUMN "deaths" SMALLINT NOT NULL DEFAULT 0,
  ADD COLUMN "waiting_since" TIMESTAMPTZ(3);

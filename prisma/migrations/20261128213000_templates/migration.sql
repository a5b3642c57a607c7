-- Forms of accounts. Versions are never changed.
CREATE TABLE "templates" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "deleted_at" TIMESTAMPTZ(3),

  CONSTRAINT "templates_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "templates_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "templates_user_id_name_key" ON "templates"("user_id", "name") WHERE (deleted_at IS NULL);
CREATE INDEX "templates_user_id_id_idx" ON "templates"("user_id", "id");
CREATE INDEX "templates_deleted_at_idx" ON "templates"("deleted_at") WHERE (deleted_at IS NOT NULL);

CREATE TABLE "template_versions" (
  "template_id" UUID NOT NULL,
  "version" INTEGER NOT NULL,
  "description" TEXT,
  "instructions" TEXT,
  "schema" JSON NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "template_versions_pkey" PRIMARY KEY ("template_id", "version"),
  CONSTRAINT "template_versions_template_id_fkey" FOREIGN KEY ("template_id") REFERENCES "templates"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- What was filled for jobs.
CREATE TABLE "job_extractions" (
  "job_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "schema" JSON NOT NULL,
  "cache_key" BYTEA NOT NULL,
  "content" JSON NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "job_extractions_pkey" PRIMARY KEY ("job_id", "name"),
  CONSTRAINT "job_extractions_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "job_extractions_cache_key_idx" ON "job_extractions"("cache_key");

-- Tables over several videos: what was asked, and the jobs that answer.
CREATE TABLE "video_tables" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "columns" JSON NOT NULL,
  "rows" JSON NOT NULL,
  "template" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "video_tables_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "video_tables_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "video_tables_user_id_id_idx" ON "video_tables"("user_id", "id");
CREATE INDEX "video_tables_created_at_idx" ON "video_tables"("created_at");

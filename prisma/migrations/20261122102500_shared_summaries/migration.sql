-- Work that another account's job paid for. The account is shown what it would have cost; the operator paid nothing.
ALTER TABLE "job_summaries" ADD COLUMN "shared" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "job_spendings" ADD COLUMN "shared" BOOLEAN NOT NULL DEFAULT false;

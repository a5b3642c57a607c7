ALTER TABLE "batches" ADD COLUMN "service_name" TEXT,
  ADD COLUMN "agent_name" TEXT,
  ADD COLUMN "client_reference" TEXT;

-- Every child that ends rewrites its batch: room on the page keeps those updates off the indexes.
ALTER TABLE "batches" SET (fillfactor = 70);
ALTER TABLE "batches" ADD CONSTRAINT "batches_counts_check" CHECK ("pending" + "succeeded" + "failed" = "total"),
  ADD CONSTRAINT "batches_end_check" CHECK (("status" = 'processing') = ("completed_at" IS NULL));

-- Lists are bounded by (user, id) and (user, status, id) as rows, which want every column in one direction.
DROP INDEX "batches_user_id_id_idx";
CREATE INDEX "batches_user_id_id_idx" ON "batches"("user_id", "id");
CREATE INDEX "batches_user_id_status_id_idx" ON "batches"("user_id", "status", "id");

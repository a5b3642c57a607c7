-- Why the reservation of a cancelled job was kept.
ALTER TABLE "quota_entries" ADD COLUMN "kept_because" TEXT;

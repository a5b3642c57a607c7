-- Finds the answers that cite a job that is deleted.
CREATE INDEX CONCURRENTLY "chat_exchanges_cited_idx" ON "chat_exchanges" USING gin ("cited_jobs");

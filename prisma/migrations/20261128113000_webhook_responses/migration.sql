-- The first 2,000 bytes of a receiver's response, as text.
ALTER TABLE "webhook_attempts" ADD COLUMN "response_body" TEXT;

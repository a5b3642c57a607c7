-- An operator who is suspended, or is no operator any more, sees no account for support any more.
ALTER TABLE "sessions" ADD COLUMN "support_by" UUID;
ALTER TABLE "sign_in_links" ADD COLUMN "support_by" UUID;

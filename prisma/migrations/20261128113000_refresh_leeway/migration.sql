-- From a refresh token and this salt, its successor can be computed again. Neither is enough on its own.
ALTER TABLE "oauth_tokens" ADD COLUMN "successor_salt" BYTEA;

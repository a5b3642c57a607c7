-- People who may see what the service has to do and who uses it. Processes of the previous release do not read the column.
ALTER TABLE "users" ADD COLUMN "is_operator" BOOLEAN NOT NULL DEFAULT false;

-- Keys of operators work in every plan. Null in keys from before: an operator's have no name.
ALTER TABLE "api_keys" ADD COLUMN "by_operator" BOOLEAN;

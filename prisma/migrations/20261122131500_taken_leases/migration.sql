-- A lease that is released stays for a while. Whether it was taken over says whether its former holder may have stored a
-- result since the statement that acquires it began. A constant default rewrites no row.
ALTER TABLE "leases" ADD COLUMN "taken_over" BOOLEAN NOT NULL DEFAULT false;

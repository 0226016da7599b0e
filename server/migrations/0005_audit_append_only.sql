-- What staff did is only ever added: neither a fault of the program nor a session that got hold of
-- its rights can change it. A later retention setting has to take the trigger away by name.
CREATE FUNCTION "audit_record_refuse"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit records are never changed' USING ERRCODE = 'insufficient_privilege';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_record_append_only" BEFORE UPDATE OR DELETE ON "audit_record"
  FOR EACH ROW EXECUTE FUNCTION "audit_record_refuse"();
--> statement-breakpoint
CREATE TRIGGER "audit_record_no_truncate" BEFORE TRUNCATE ON "audit_record"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_record_refuse"();

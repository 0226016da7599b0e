CREATE TABLE "user_words" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"words" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "user_words" ADD CONSTRAINT "user_words_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "user_words" ("user_id", "words") SELECT "id", "words" FROM "user_account";
--> statement-breakpoint
CREATE FUNCTION "user_words_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_words (user_id, words) VALUES (NEW.id, NEW.words)
    ON CONFLICT (user_id) DO UPDATE SET words = EXCLUDED.words;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "user_words_new" AFTER INSERT ON "user_account"
  FOR EACH ROW EXECUTE FUNCTION "user_words_keep"();
--> statement-breakpoint
CREATE TRIGGER "user_words_changed" AFTER UPDATE ON "user_account"
  FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION "user_words_keep"();
--> statement-breakpoint
-- Counted at every sign-in and forgotten within minutes: none of it is worth waiting for the disk.
ALTER TABLE "login_guess" SET UNLOGGED;

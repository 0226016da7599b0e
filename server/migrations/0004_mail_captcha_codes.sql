CREATE TABLE "captcha_challenge" (
	"id" text PRIMARY KEY NOT NULL,
	"scene" text NOT NULL,
	"secret" jsonb NOT NULL,
	"address_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	"token_hash" text,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "mail" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"recipient" text NOT NULL,
	"language" text NOT NULL,
	"template" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"message_id" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"next_try_at" timestamp with time zone,
	"error" text,
	CONSTRAINT "mail_state" CHECK ("mail"."state" in ('waiting', 'sent', 'failed', 'captured'))
);
--> statement-breakpoint
CREATE TABLE "user_code" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_code_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"user_id" integer,
	"hash" text NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
DROP INDEX "user_account_seen";--> statement-breakpoint
ALTER TABLE "user_code" ADD CONSTRAINT "user_code_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "captcha_challenge_address" ON "captcha_challenge" USING btree ("address_hash","created_at");--> statement-breakpoint
CREATE INDEX "captcha_challenge_expires" ON "captcha_challenge" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mail_due" ON "mail" USING btree ("next_try_at","id") WHERE "mail"."state" in ('waiting', 'failed');--> statement-breakpoint
CREATE INDEX "mail_created" ON "mail" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "user_code_email" ON "user_code" USING btree ("purpose","email","created_at");--> statement-breakpoint
CREATE INDEX "user_code_hash" ON "user_code" USING btree ("purpose","hash");--> statement-breakpoint
CREATE INDEX "user_code_expires" ON "user_code" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "user_account_seen" ON "user_account" USING btree ("last_seen_at" DESC NULLS LAST,"id" DESC NULLS LAST);
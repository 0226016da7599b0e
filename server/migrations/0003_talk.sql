CREATE TABLE "audit_record" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_record_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"user_id" integer NOT NULL,
	"username" text NOT NULL,
	"nickname" text NOT NULL,
	"role" text NOT NULL,
	"address" text NOT NULL,
	"action" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"kind" text NOT NULL,
	"things" jsonb NOT NULL,
	"changes" jsonb NOT NULL,
	"sent" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"code" text,
	"words" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_domain" (
	"user_id" integer NOT NULL,
	"domain_id" integer NOT NULL,
	CONSTRAINT "user_domain_user_id_domain_id_pk" PRIMARY KEY("user_id","domain_id")
);
--> statement-breakpoint
CREATE TABLE "notification_receipt" (
	"user_id" integer NOT NULL,
	"notification_id" integer NOT NULL,
	"read_at" timestamp with time zone,
	"mailed_at" timestamp with time zone,
	CONSTRAINT "notification_receipt_user_id_notification_id_pk" PRIMARY KEY("user_id","notification_id")
);
--> statement-breakpoint
CREATE TABLE "notification" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"title_zh" text NOT NULL,
	"title_en" text NOT NULL,
	"content_zh" text NOT NULL,
	"content_en" text NOT NULL,
	"path" text,
	"audience" text,
	"role" text,
	"named_ids" integer[],
	"sender_id" integer,
	"send_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "notification_kind" CHECK ("notification"."kind" in ('system', 'review', 'course', 'suggestion'))
);
--> statement-breakpoint
CREATE TABLE "sso_attempt" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"state" text NOT NULL,
	"nonce" text NOT NULL,
	"verifier" text NOT NULL,
	"callback" text NOT NULL,
	"redirect" text NOT NULL,
	"user_id" integer,
	"identity" jsonb,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_identity" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_identity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "user_identity_subject" UNIQUE("provider","subject"),
	CONSTRAINT "user_identity_user" UNIQUE("user_id","provider"),
	CONSTRAINT "user_identity_provider" CHECK ("user_identity"."provider" in ('arose', 'scnet'))
);
--> statement-breakpoint
CREATE TABLE "suggestion_picture" (
	"name" text PRIMARY KEY NOT NULL,
	"user_id" integer,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "suggestion_reply" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "suggestion_reply_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"suggestion_id" integer NOT NULL,
	"user_id" integer,
	"is_staff" boolean NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "suggestion" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "suggestion_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	"is_public" boolean NOT NULL,
	"pictures" text[] DEFAULT '{}' NOT NULL,
	"replies" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "suggestion_status" CHECK ("suggestion"."status" between 1 and 2)
);
--> statement-breakpoint
CREATE TABLE "centre" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "centre_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name_zh" text NOT NULL,
	"name_en" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_centre" (
	"user_id" integer NOT NULL,
	"centre_id" integer NOT NULL,
	CONSTRAINT "user_centre_user_id_centre_id_pk" PRIMARY KEY("user_id","centre_id")
);
--> statement-breakpoint
ALTER TABLE "user_account" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "domain" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "tag" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "user_domain" ADD CONSTRAINT "user_domain_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_domain" ADD CONSTRAINT "user_domain_domain_id_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domain"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_receipt" ADD CONSTRAINT "notification_receipt_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_receipt" ADD CONSTRAINT "notification_receipt_notification_id_notification_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notification"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_sender_id_user_account_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_attempt" ADD CONSTRAINT "sso_attempt_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_identity" ADD CONSTRAINT "user_identity_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestion_picture" ADD CONSTRAINT "suggestion_picture_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestion_reply" ADD CONSTRAINT "suggestion_reply_suggestion_id_suggestion_id_fk" FOREIGN KEY ("suggestion_id") REFERENCES "public"."suggestion"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestion_reply" ADD CONSTRAINT "suggestion_reply_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestion" ADD CONSTRAINT "suggestion_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_centre" ADD CONSTRAINT "user_centre_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_centre" ADD CONSTRAINT "user_centre_centre_id_centre_id_fk" FOREIGN KEY ("centre_id") REFERENCES "public"."centre"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_record_at" ON "audit_record" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_record_user" ON "audit_record" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "audit_record_kind" ON "audit_record" USING btree ("kind","at");--> statement-breakpoint
CREATE INDEX "audit_record_words" ON "audit_record" USING gin ("words" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "user_domain_domain" ON "user_domain" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "notification_receipt_unread" ON "notification_receipt" USING btree ("user_id") WHERE "notification_receipt"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notification_receipt_notification" ON "notification_receipt" USING btree ("notification_id");--> statement-breakpoint
CREATE INDEX "notification_waiting" ON "notification" USING btree ("send_at") WHERE "notification"."sent_at" is null;--> statement-breakpoint
CREATE INDEX "notification_sent" ON "notification" USING btree ("send_at") WHERE "notification"."audience" is not null;--> statement-breakpoint
CREATE INDEX "sso_attempt_expires" ON "sso_attempt" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "suggestion_picture_user" ON "suggestion_picture" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "suggestion_reply_suggestion" ON "suggestion_reply" USING btree ("suggestion_id","id");--> statement-breakpoint
CREATE INDEX "suggestion_updated" ON "suggestion" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "suggestion_user" ON "suggestion" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "user_centre_centre" ON "user_centre" USING btree ("centre_id");--> statement-breakpoint
CREATE INDEX "user_role_role" ON "user_role" USING btree ("role","user_id");--> statement-breakpoint
CREATE INDEX "user_account_created" ON "user_account" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "user_account_organisation" ON "user_account" USING btree (coalesce("organisation", ''),"id");--> statement-breakpoint
CREATE INDEX "user_account_seen" ON "user_account" USING btree ("last_seen_at","id");--> statement-breakpoint
CREATE INDEX "user_account_type_created" ON "user_account" USING btree ("type","created_at","id");--> statement-breakpoint
CREATE INDEX "user_account_waiting" ON "user_account" USING btree ("created_at","id") WHERE apply_status = 1;--> statement-breakpoint
CREATE INDEX "user_account_disabled" ON "user_account" USING btree ("created_at","id") WHERE disabled_at is not null;--> statement-breakpoint
CREATE INDEX "user_account_words" ON "user_account" USING gin (("username" || ' ' || "nickname" || ' ' || "email" || ' ' || coalesce("real_name", '') || ' ' || coalesce("organisation", '') || ' ' || coalesce("student_id", '') || ' ' || coalesce("phone", '')) gin_trgm_ops);
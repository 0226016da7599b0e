ALTER TABLE "login_session" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "login_session" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "login_session" ADD COLUMN "last_seen_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "user_account" ADD COLUMN "theme" text;--> statement-breakpoint
ALTER TABLE "user_account" ADD COLUMN "region" text;--> statement-breakpoint
ALTER TABLE "user_account" ADD COLUMN "apply_reason" text;--> statement-breakpoint
ALTER TABLE "user_account" ADD COLUMN "applied_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "user_account" ADD COLUMN "avatar_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "user_account" ADD COLUMN "notification_choices" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "user_account" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "user_account" ADD COLUMN "last_seen_at" timestamp with time zone;
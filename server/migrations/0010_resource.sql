CREATE TABLE "resource_account" (
	"apply_id" integer PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "resource_apply" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "resource_apply_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"centre_id" integer NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	"applicant_name" text NOT NULL,
	"organisation" text NOT NULL,
	"phone" text NOT NULL,
	"email" text NOT NULL,
	"project" text NOT NULL,
	"cpu_hours" integer NOT NULL,
	"purpose" text NOT NULL,
	"target" smallint,
	"software_id" integer,
	"reason" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"words" text GENERATED ALWAYS AS (lower(project || ' ' || applicant_name || ' ' || organisation || ' ' || email || ' ' || phone)) STORED NOT NULL,
	CONSTRAINT "resource_apply_status" CHECK ("resource_apply"."status" between 1 and 3),
	CONSTRAINT "resource_apply_target" CHECK ("resource_apply"."target" between 1 and 2),
	CONSTRAINT "resource_apply_reason" CHECK (("resource_apply"."status" = 3) = ("resource_apply"."reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "resource_step" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "resource_step_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"apply_id" integer NOT NULL,
	"user_id" integer,
	"is_staff" boolean NOT NULL,
	"step" text NOT NULL,
	"status" smallint NOT NULL,
	"reason" text,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "resource_account" ADD CONSTRAINT "resource_account_apply_id_resource_apply_id_fk" FOREIGN KEY ("apply_id") REFERENCES "public"."resource_apply"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_apply" ADD CONSTRAINT "resource_apply_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_apply" ADD CONSTRAINT "resource_apply_centre_id_centre_id_fk" FOREIGN KEY ("centre_id") REFERENCES "public"."centre"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_apply" ADD CONSTRAINT "resource_apply_software_id_software_id_fk" FOREIGN KEY ("software_id") REFERENCES "public"."software"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_step" ADD CONSTRAINT "resource_step_apply_id_resource_apply_id_fk" FOREIGN KEY ("apply_id") REFERENCES "public"."resource_apply"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_step" ADD CONSTRAINT "resource_step_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "resource_apply_waiting" ON "resource_apply" USING btree ("user_id","centre_id") WHERE status = 1;--> statement-breakpoint
CREATE INDEX "resource_apply_user" ON "resource_apply" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "resource_apply_centre" ON "resource_apply" USING btree ("centre_id","status");--> statement-breakpoint
CREATE INDEX "resource_apply_created" ON "resource_apply" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "resource_apply_words" ON "resource_apply" USING gin ("words" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "resource_step_apply" ON "resource_step" USING btree ("apply_id","id");--> statement-breakpoint
CREATE INDEX "resource_step_user" ON "resource_step" USING btree ("user_id");
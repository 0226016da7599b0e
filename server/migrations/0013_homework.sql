CREATE TABLE "homework" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "homework_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"course_id" integer NOT NULL,
	"title_zh" text NOT NULL,
	"title_en" text NOT NULL,
	"content_zh" text NOT NULL,
	"content_en" text NOT NULL,
	"type" smallint DEFAULT 1 NOT NULL,
	"open_at" timestamp with time zone,
	"due_at" timestamp with time zone NOT NULL,
	"max_tenths" integer NOT NULL,
	"is_published" boolean NOT NULL,
	"told_at" timestamp with time zone,
	"author_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "homework_type" CHECK ("homework"."type" between 1 and 2),
	CONSTRAINT "homework_max" CHECK ("homework"."max_tenths" between 10 and 10000),
	CONSTRAINT "homework_period" CHECK ("homework"."open_at" < "homework"."due_at")
);
--> statement-breakpoint
CREATE TABLE "homework_file" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "homework_file_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"course_id" integer NOT NULL,
	"homework_id" integer,
	"submission_id" integer,
	"user_id" integer,
	"name" text NOT NULL,
	"stored" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sequence" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "homework_file_stored_unique" UNIQUE("stored"),
	CONSTRAINT "homework_file_kind" CHECK ("homework_file"."kind" in ('attachment', 'submission', 'comment')),
	CONSTRAINT "homework_file_place" CHECK (case when "homework_file"."kind" = 'attachment' then "homework_file"."submission_id" is null else "homework_file"."homework_id" is not null end)
);
--> statement-breakpoint
CREATE TABLE "homework_score_change" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "homework_score_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"submission_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"by_id" integer,
	"score_before" integer,
	"score_after" integer,
	"comment_before" text NOT NULL,
	"comment_after" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "homework_submission" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "homework_submission_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"homework_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"state" smallint DEFAULT 0 NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"submitted_at" timestamp with time zone,
	"score_tenths" integer,
	"comment" text DEFAULT '' NOT NULL,
	"graded_by" integer,
	"graded_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "homework_submission_one" UNIQUE("homework_id","user_id"),
	CONSTRAINT "homework_submission_state" CHECK ("homework_submission"."state" between 0 and 2),
	CONSTRAINT "homework_submission_at" CHECK (("homework_submission"."state" = 0) = ("homework_submission"."submitted_at" is null)),
	CONSTRAINT "homework_submission_score" CHECK ("homework_submission"."score_tenths" >= 0),
	CONSTRAINT "homework_submission_graded" CHECK (("homework_submission"."score_tenths" is null) = ("homework_submission"."graded_at" is null))
);
--> statement-breakpoint
ALTER TABLE "homework" ADD CONSTRAINT "homework_course_id_course_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."course"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework" ADD CONSTRAINT "homework_author_id_user_account_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_file" ADD CONSTRAINT "homework_file_course_id_course_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."course"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_file" ADD CONSTRAINT "homework_file_homework_id_homework_id_fk" FOREIGN KEY ("homework_id") REFERENCES "public"."homework"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_file" ADD CONSTRAINT "homework_file_submission_id_homework_submission_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."homework_submission"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_file" ADD CONSTRAINT "homework_file_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_score_change" ADD CONSTRAINT "homework_score_change_submission_id_homework_submission_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."homework_submission"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_score_change" ADD CONSTRAINT "homework_score_change_by_id_user_account_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_submission" ADD CONSTRAINT "homework_submission_homework_id_homework_id_fk" FOREIGN KEY ("homework_id") REFERENCES "public"."homework"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_submission" ADD CONSTRAINT "homework_submission_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "homework_submission" ADD CONSTRAINT "homework_submission_graded_by_user_account_id_fk" FOREIGN KEY ("graded_by") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "homework_course" ON "homework" USING btree ("course_id","due_at","id");--> statement-breakpoint
CREATE INDEX "homework_untold" ON "homework" USING btree ("open_at") WHERE "homework"."is_published" and "homework"."told_at" is null;--> statement-breakpoint
CREATE INDEX "homework_file_homework" ON "homework_file" USING btree ("homework_id");--> statement-breakpoint
CREATE INDEX "homework_file_submission" ON "homework_file" USING btree ("submission_id");--> statement-breakpoint
CREATE INDEX "homework_file_course" ON "homework_file" USING btree ("course_id");--> statement-breakpoint
CREATE INDEX "homework_file_user" ON "homework_file" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "homework_score_change_submission" ON "homework_score_change" USING btree ("submission_id","id");--> statement-breakpoint
CREATE INDEX "homework_score_change_by" ON "homework_score_change" USING btree ("by_id");--> statement-breakpoint
CREATE INDEX "homework_submission_user" ON "homework_submission" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "homework_submission_waiting" ON "homework_submission" USING btree ("homework_id") WHERE "homework_submission"."state" > 0 and "homework_submission"."score_tenths" is null;
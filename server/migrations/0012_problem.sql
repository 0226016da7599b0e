CREATE TABLE "problem_code" (
	"problem_id" integer NOT NULL,
	"language" smallint NOT NULL,
	"default_code" text NOT NULL,
	"reference_code" text NOT NULL,
	CONSTRAINT "problem_code_problem_id_language_pk" PRIMARY KEY("problem_id","language"),
	CONSTRAINT "problem_code_language" CHECK ("problem_code"."language" between 1 and 8)
);
--> statement-breakpoint
CREATE TABLE "problem_judge" (
	"id" uuid PRIMARY KEY NOT NULL,
	"is_ready" boolean NOT NULL,
	"reason" text,
	"languages" smallint[] NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "problem_progress" (
	"user_id" integer NOT NULL,
	"problem_id" integer NOT NULL,
	"solved_at" timestamp with time zone,
	CONSTRAINT "problem_progress_user_id_problem_id_pk" PRIMARY KEY("user_id","problem_id")
);
--> statement-breakpoint
CREATE TABLE "problem_submission" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "problem_submission_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"problem_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"language" smallint NOT NULL,
	"source" text NOT NULL,
	"stdin" text DEFAULT '' NOT NULL,
	"state" smallint DEFAULT 0 NOT NULL,
	"due" timestamp with time zone NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"lease" uuid,
	"lease_until" timestamp with time zone,
	"verdict" text,
	"return_code" integer,
	"passed" smallint DEFAULT 0 NOT NULL,
	"total" smallint DEFAULT 0 NOT NULL,
	"cpu_ms" integer,
	"memory_bytes" bigint,
	"compiler_output" text DEFAULT '' NOT NULL,
	"output" text DEFAULT '' NOT NULL,
	"tests" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"tests_version" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"judged_at" timestamp with time zone,
	CONSTRAINT "problem_submission_kind" CHECK ("problem_submission"."kind" in ('submission', 'run', 'check')),
	CONSTRAINT "problem_submission_state" CHECK ("problem_submission"."state" between 0 and 2),
	CONSTRAINT "problem_submission_lease" CHECK (("problem_submission"."state" = 1) = ("problem_submission"."lease" is not null)),
	CONSTRAINT "problem_submission_done" CHECK (("problem_submission"."state" = 2) = ("problem_submission"."verdict" is not null))
);
--> statement-breakpoint
CREATE TABLE "problem_tag" (
	"problem_id" integer NOT NULL,
	"tag_id" integer NOT NULL,
	CONSTRAINT "problem_tag_problem_id_tag_id_pk" PRIMARY KEY("problem_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "problem" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "problem_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text,
	"title_zh" text NOT NULL,
	"title_en" text NOT NULL,
	"content_zh" text NOT NULL,
	"content_en" text NOT NULL,
	"is_published" boolean DEFAULT false NOT NULL,
	"sequence" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"words" "tsvector" DEFAULT ''::tsvector NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"type" smallint DEFAULT 1 NOT NULL,
	"difficulty" smallint NOT NULL,
	"domain_id" integer,
	"owner_id" integer,
	"cpu_ms" integer NOT NULL,
	"memory_bytes" bigint NOT NULL,
	"parallelism" smallint DEFAULT 1 NOT NULL,
	"samples" smallint DEFAULT 0 NOT NULL,
	"tests_folder" text,
	"test_count" smallint DEFAULT 0 NOT NULL,
	"tests_bytes" bigint DEFAULT 0 NOT NULL,
	"tests_at" timestamp with time zone,
	"tests_version" integer DEFAULT 0 NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "problem_slug_unique" UNIQUE("slug"),
	CONSTRAINT "problem_type" CHECK ("problem"."type" between 1 and 5),
	CONSTRAINT "problem_difficulty" CHECK ("problem"."difficulty" between 1 and 3),
	CONSTRAINT "problem_test_count" CHECK ("problem"."test_count" between 0 and 100),
	CONSTRAINT "problem_tests" CHECK (("problem"."tests_folder" is null) = ("problem"."test_count" = 0)),
	CONSTRAINT "problem_published" CHECK (not "problem"."is_published" or "problem"."test_count" > 0)
);
--> statement-breakpoint
ALTER TABLE "problem_code" ADD CONSTRAINT "problem_code_problem_id_problem_id_fk" FOREIGN KEY ("problem_id") REFERENCES "public"."problem"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "problem_progress" ADD CONSTRAINT "problem_progress_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "problem_progress" ADD CONSTRAINT "problem_progress_problem_id_problem_id_fk" FOREIGN KEY ("problem_id") REFERENCES "public"."problem"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "problem_submission" ADD CONSTRAINT "problem_submission_problem_id_problem_id_fk" FOREIGN KEY ("problem_id") REFERENCES "public"."problem"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "problem_submission" ADD CONSTRAINT "problem_submission_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "problem_tag" ADD CONSTRAINT "problem_tag_problem_id_problem_id_fk" FOREIGN KEY ("problem_id") REFERENCES "public"."problem"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "problem_tag" ADD CONSTRAINT "problem_tag_tag_id_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tag"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "problem" ADD CONSTRAINT "problem_domain_id_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domain"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "problem" ADD CONSTRAINT "problem_owner_id_user_account_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "problem_progress_problem" ON "problem_progress" USING btree ("problem_id","solved_at");--> statement-breakpoint
CREATE INDEX "problem_progress_solved" ON "problem_progress" USING btree ("user_id","solved_at");--> statement-breakpoint
CREATE INDEX "problem_submission_user" ON "problem_submission" USING btree ("problem_id","user_id","id");--> statement-breakpoint
CREATE INDEX "problem_submission_kind" ON "problem_submission" USING btree ("problem_id","kind","id");--> statement-breakpoint
CREATE INDEX "problem_submission_queue" ON "problem_submission" USING btree ("due","id") WHERE state = 0;--> statement-breakpoint
CREATE INDEX "problem_submission_open" ON "problem_submission" USING btree ("user_id","state") WHERE state < 2;--> statement-breakpoint
CREATE INDEX "problem_tag_tag" ON "problem_tag" USING btree ("tag_id");--> statement-breakpoint
CREATE INDEX "problem_sequence" ON "problem" USING btree ("sequence","id");--> statement-breakpoint
CREATE INDEX "problem_updated" ON "problem" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "problem_uses" ON "problem" USING btree ("uses","id");--> statement-breakpoint
CREATE INDEX "problem_owner" ON "problem" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "problem_words" ON "problem" USING gin ("words");--> statement-breakpoint
CREATE INDEX "problem_title_zh_trgm" ON "problem" USING gin ("title_zh" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "problem_title_en_trgm" ON "problem" USING gin ("title_en" gin_trgm_ops);
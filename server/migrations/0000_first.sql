CREATE TABLE "domain" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "domain_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text,
	"title_zh" text NOT NULL,
	"title_en" text NOT NULL,
	"color" smallint NOT NULL,
	"sequence" integer NOT NULL,
	CONSTRAINT "domain_slug_unique" UNIQUE("slug"),
	CONSTRAINT "domain_color" CHECK ("domain"."color" between 1 and 11)
);
--> statement-breakpoint
CREATE TABLE "tag" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tag_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"domain_id" integer NOT NULL,
	"slug" text,
	"title_zh" text NOT NULL,
	"title_en" text NOT NULL,
	"color" smallint NOT NULL,
	"sequence" integer NOT NULL,
	CONSTRAINT "tag_slug_unique" UNIQUE("slug"),
	CONSTRAINT "tag_color" CHECK ("tag"."color" between 1 and 11)
);
--> statement-breakpoint
CREATE TABLE "image" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "image_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text,
	"type" smallint NOT NULL,
	"title_zh" text NOT NULL,
	"title_en" text NOT NULL,
	"is_public" boolean DEFAULT true NOT NULL,
	"reference" text,
	"build_state" text DEFAULT 'waiting' NOT NULL,
	"build_step" integer DEFAULT 0 NOT NULL,
	"build_steps" integer DEFAULT 0 NOT NULL,
	"build_text" text DEFAULT '' NOT NULL,
	"build_started_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "image_slug_unique" UNIQUE("slug"),
	CONSTRAINT "image_type" CHECK ("image"."type" between 1 and 3),
	CONSTRAINT "image_build_state" CHECK ("image"."build_state" in ('waiting', 'building', 'ready', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "lab_resource" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lab_resource_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"lab_id" integer NOT NULL,
	"type" smallint NOT NULL,
	"title_zh" text NOT NULL,
	"title_en" text NOT NULL,
	"path" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sequence" integer NOT NULL,
	CONSTRAINT "lab_resource_type" CHECK ("lab_resource"."type" between 1 and 2)
);
--> statement-breakpoint
CREATE TABLE "lab_tag" (
	"lab_id" integer NOT NULL,
	"tag_id" integer NOT NULL,
	CONSTRAINT "lab_tag_lab_id_tag_id_pk" PRIMARY KEY("lab_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "lab_task" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lab_task_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"lab_id" integer NOT NULL,
	"slug" text,
	"sequence" integer NOT NULL,
	"title_zh" text NOT NULL,
	"title_en" text NOT NULL,
	"content_zh" text NOT NULL,
	"content_en" text NOT NULL,
	"minutes" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lab" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lab_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text,
	"type" smallint NOT NULL,
	"title_zh" text NOT NULL,
	"title_en" text NOT NULL,
	"description_zh" text NOT NULL,
	"description_en" text NOT NULL,
	"content_zh" text NOT NULL,
	"content_en" text NOT NULL,
	"cover_kind" text NOT NULL,
	"cover_seed" integer NOT NULL,
	"domain_id" integer,
	"specification_id" integer NOT NULL,
	"folder" text,
	"is_published" boolean DEFAULT false NOT NULL,
	"sequence" integer NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"words" "tsvector" DEFAULT ''::tsvector NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lab_slug_unique" UNIQUE("slug"),
	CONSTRAINT "lab_type" CHECK ("lab"."type" between 1 and 2)
);
--> statement-breakpoint
CREATE TABLE "setting" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "specification_node" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "specification_node_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"specification_id" integer NOT NULL,
	"sequence" smallint NOT NULL,
	"name" text NOT NULL,
	"cpus" real NOT NULL,
	"memory_bytes" bigint NOT NULL,
	"disk_bytes" bigint NOT NULL,
	"shm_bytes" bigint NOT NULL,
	"pids" integer NOT NULL,
	"image_id" integer NOT NULL,
	CONSTRAINT "specification_node_sequence" CHECK ("specification_node"."sequence" between 1 and 3),
	CONSTRAINT "specification_node_cpus" CHECK ("specification_node"."cpus" > 0)
);
--> statement-breakpoint
CREATE TABLE "specification" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "specification_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text,
	"name_zh" text NOT NULL,
	"name_en" text NOT NULL,
	"image_type" smallint NOT NULL,
	"is_shared" boolean DEFAULT true NOT NULL,
	"lifetime_seconds" integer DEFAULT 3600 NOT NULL,
	CONSTRAINT "specification_slug_unique" UNIQUE("slug"),
	CONSTRAINT "specification_lifetime" CHECK ("specification"."lifetime_seconds" between 60 and 604800)
);
--> statement-breakpoint
CREATE TABLE "session_ticket" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"login_session_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "usage_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	"phase" text DEFAULT 'queued' NOT NULL,
	"wanted" text DEFAULT 'run' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"renewal_time" bigint NOT NULL,
	"lifetime_seconds" integer NOT NULL,
	"deadline_time" bigint GENERATED ALWAYS AS (renewal_time + lifetime_seconds) STORED NOT NULL,
	"type" smallint NOT NULL,
	"title_zh" text NOT NULL,
	"title_en" text NOT NULL,
	"language" text DEFAULT 'zh-CN' NOT NULL,
	"route_name" text NOT NULL,
	"route_path" text NOT NULL,
	"lab_id" integer,
	"task_id" integer,
	"nodes" jsonb NOT NULL,
	"cpus" real NOT NULL,
	"memory_bytes" bigint NOT NULL,
	"host" text GENERATED ALWAYS AS ('u' || id) STORED NOT NULL,
	"ip" text GENERATED ALWAYS AS ('100.' || (64 + ((id >> 16) & 63)) || '.' || ((id >> 8) & 255) || '.' || (id & 255)) STORED NOT NULL,
	"address" text,
	"is_held" boolean DEFAULT false NOT NULL,
	"cause" text,
	"reason_code" text,
	"reason_params" jsonb,
	"claimed_by" uuid,
	"claimed_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"creating_at" timestamp with time zone,
	"starting_at" timestamp with time zone,
	"waiting_at" timestamp with time zone,
	"ready_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"stopped_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"removed_at" timestamp with time zone,
	CONSTRAINT "usage_status" CHECK ("usage"."status" in (1, 2)),
	CONSTRAINT "usage_phase" CHECK ("usage"."phase" in ('queued', 'creating', 'starting', 'waiting', 'ready', 'failed')),
	CONSTRAINT "usage_wanted" CHECK ("usage"."wanted" in ('run', 'pause', 'end')),
	CONSTRAINT "usage_end" CHECK (("usage"."ended_at" is null) = ("usage"."cause" is null))
);
--> statement-breakpoint
CREATE TABLE "worker" (
	"id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"engine_name" text DEFAULT '' NOT NULL,
	"engine_reason" text,
	"is_engine_ready" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "login_guess" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"window_started_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "login_session" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "login_session_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"token_hash" text NOT NULL,
	"user_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "login_session_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "user_role" (
	"user_id" integer NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "user_role_user_id_role_pk" PRIMARY KEY("user_id","role"),
	CONSTRAINT "user_role_role" CHECK ("user_role"."role" in ('student', 'machine_admin', 'assistant', 'teacher', 'admin'))
);
--> statement-breakpoint
CREATE TABLE "user_account" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_account_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"email" text NOT NULL,
	"nickname" text NOT NULL,
	"real_name" text,
	"phone" text,
	"gender" smallint,
	"organisation" text,
	"student_id" text,
	"type" smallint NOT NULL,
	"apply_status" smallint DEFAULT 0 NOT NULL,
	"password_hash" text NOT NULL,
	"language" text,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_account_type" CHECK ("user_account"."type" between 1 and 5),
	CONSTRAINT "user_account_apply_status" CHECK ("user_account"."apply_status" between 0 and 3)
);
--> statement-breakpoint
ALTER TABLE "tag" ADD CONSTRAINT "tag_domain_id_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domain"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lab_resource" ADD CONSTRAINT "lab_resource_lab_id_lab_id_fk" FOREIGN KEY ("lab_id") REFERENCES "public"."lab"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lab_tag" ADD CONSTRAINT "lab_tag_lab_id_lab_id_fk" FOREIGN KEY ("lab_id") REFERENCES "public"."lab"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lab_tag" ADD CONSTRAINT "lab_tag_tag_id_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tag"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lab_task" ADD CONSTRAINT "lab_task_lab_id_lab_id_fk" FOREIGN KEY ("lab_id") REFERENCES "public"."lab"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lab" ADD CONSTRAINT "lab_domain_id_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domain"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lab" ADD CONSTRAINT "lab_specification_id_specification_id_fk" FOREIGN KEY ("specification_id") REFERENCES "public"."specification"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "specification_node" ADD CONSTRAINT "specification_node_specification_id_specification_id_fk" FOREIGN KEY ("specification_id") REFERENCES "public"."specification"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "specification_node" ADD CONSTRAINT "specification_node_image_id_image_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."image"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_ticket" ADD CONSTRAINT "session_ticket_login_session_id_login_session_id_fk" FOREIGN KEY ("login_session_id") REFERENCES "public"."login_session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_ticket" ADD CONSTRAINT "session_ticket_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_lab_id_lab_id_fk" FOREIGN KEY ("lab_id") REFERENCES "public"."lab"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_task_id_lab_task_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."lab_task"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_session" ADD CONSTRAINT "login_session_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_role" ADD CONSTRAINT "user_role_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tag_domain" ON "tag" USING btree ("domain_id","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "lab_resource_path" ON "lab_resource" USING btree ("lab_id","path");--> statement-breakpoint
CREATE INDEX "lab_tag_tag" ON "lab_tag" USING btree ("tag_id");--> statement-breakpoint
CREATE INDEX "lab_task_lab" ON "lab_task" USING btree ("lab_id","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "lab_task_slug" ON "lab_task" USING btree ("lab_id","slug");--> statement-breakpoint
CREATE INDEX "lab_sequence" ON "lab" USING btree ("sequence","id");--> statement-breakpoint
CREATE INDEX "lab_updated" ON "lab" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "lab_uses" ON "lab" USING btree ("uses","id");--> statement-breakpoint
CREATE INDEX "lab_words" ON "lab" USING gin ("words");--> statement-breakpoint
CREATE INDEX "lab_title_zh_trgm" ON "lab" USING gin ("title_zh" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "lab_title_en_trgm" ON "lab" USING gin ("title_en" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "specification_node_specification" ON "specification_node" USING btree ("specification_id","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "usage_one_current" ON "usage" USING btree ("user_id") WHERE ended_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "usage_session_name" ON "usage" USING btree ("host");--> statement-breakpoint
CREATE INDEX "usage_open" ON "usage" USING btree ("id") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "usage_history" ON "usage" USING btree ("user_id","ended_at");--> statement-breakpoint
CREATE INDEX "login_session_user" ON "login_session" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "user_account_username" ON "user_account" USING btree (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "user_account_email" ON "user_account" USING btree (lower("email"));
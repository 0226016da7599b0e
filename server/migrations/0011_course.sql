CREATE TABLE "course_notice" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "course_notice_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"course_id" integer NOT NULL,
	"title_zh" text NOT NULL,
	"title_en" text NOT NULL,
	"content_zh" text NOT NULL,
	"content_en" text NOT NULL,
	"author_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "course_person" (
	"course_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"role" text NOT NULL,
	"applied_at" timestamp with time zone NOT NULL,
	"joined_at" timestamp with time zone,
	CONSTRAINT "course_person_course_id_user_id_pk" PRIMARY KEY("course_id","user_id"),
	CONSTRAINT "course_person_role" CHECK ("course_person"."role" in ('waiting', 'member', 'assistant', 'collaborator')),
	CONSTRAINT "course_person_joined" CHECK (("course_person"."role" = 'waiting') = ("course_person"."joined_at" is null))
);
--> statement-breakpoint
CREATE TABLE "course_tag" (
	"course_id" integer NOT NULL,
	"tag_id" integer NOT NULL,
	CONSTRAINT "course_tag_course_id_tag_id_pk" PRIMARY KEY("course_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "course" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "course_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text,
	"title_zh" text NOT NULL,
	"title_en" text NOT NULL,
	"description_zh" text NOT NULL,
	"description_en" text NOT NULL,
	"content_zh" text NOT NULL,
	"content_en" text NOT NULL,
	"cover_kind" text NOT NULL,
	"cover_seed" integer NOT NULL,
	"domain_id" integer,
	"owner_id" integer,
	"is_published" boolean DEFAULT false NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"is_private" boolean DEFAULT false NOT NULL,
	"join_mode" smallint DEFAULT 1 NOT NULL,
	"invite_code" text,
	"invite_from" timestamp with time zone,
	"invite_until" timestamp with time zone,
	"sequence" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"words" "tsvector" DEFAULT ''::tsvector NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "course_slug_unique" UNIQUE("slug"),
	CONSTRAINT "course_join_mode" CHECK ("course"."join_mode" between 1 and 3),
	CONSTRAINT "course_invite_code" CHECK ("course"."invite_code" is not null or not ("course"."is_private" or "course"."join_mode" = 3)),
	CONSTRAINT "course_invite_period" CHECK ("course"."invite_from" < "course"."invite_until")
);
--> statement-breakpoint
ALTER TABLE "notification" ADD COLUMN "course_id" integer;--> statement-breakpoint
ALTER TABLE "notification" ADD COLUMN "notice_id" integer;--> statement-breakpoint
ALTER TABLE "course_notice" ADD CONSTRAINT "course_notice_course_id_course_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."course"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_notice" ADD CONSTRAINT "course_notice_author_id_user_account_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_person" ADD CONSTRAINT "course_person_course_id_course_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."course"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_person" ADD CONSTRAINT "course_person_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_tag" ADD CONSTRAINT "course_tag_course_id_course_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."course"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_tag" ADD CONSTRAINT "course_tag_tag_id_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tag"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course" ADD CONSTRAINT "course_domain_id_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domain"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course" ADD CONSTRAINT "course_owner_id_user_account_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "course_notice_course" ON "course_notice" USING btree ("course_id","created_at","id");--> statement-breakpoint
CREATE INDEX "course_person_user" ON "course_person" USING btree ("user_id","role");--> statement-breakpoint
CREATE INDEX "course_person_role_joined" ON "course_person" USING btree ("course_id","role","joined_at","user_id");--> statement-breakpoint
CREATE INDEX "course_person_applied" ON "course_person" USING btree ("course_id","applied_at","user_id");--> statement-breakpoint
CREATE INDEX "course_tag_tag" ON "course_tag" USING btree ("tag_id");--> statement-breakpoint
CREATE INDEX "course_sequence" ON "course" USING btree ("sequence","id");--> statement-breakpoint
CREATE INDEX "course_updated" ON "course" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "course_owner" ON "course" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "course_words" ON "course" USING gin ("words");--> statement-breakpoint
CREATE INDEX "course_title_zh_trgm" ON "course" USING gin ("title_zh" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "course_title_en_trgm" ON "course" USING gin ("title_en" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_course_id_course_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."course"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_notice_id_course_notice_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."course_notice"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_notice" ON "notification" USING btree ("notice_id") WHERE "notification"."notice_id" is not null;--> statement-breakpoint
CREATE INDEX "notification_course" ON "notification" USING btree ("course_id") WHERE "notification"."course_id" is not null;
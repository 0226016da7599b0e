CREATE TABLE "computer" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "computer_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"specification_id" integer NOT NULL,
	"name" text NOT NULL,
	"home_bytes" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_started_at" timestamp with time zone,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "image_version" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "image_version_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"image_id" integer NOT NULL,
	"number" integer NOT NULL,
	"reference" text NOT NULL,
	"size_bytes" bigint,
	"contents" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" integer
);
--> statement-breakpoint
CREATE TABLE "lab_edition" (
	"folder" text PRIMARY KEY NOT NULL,
	"retired_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "software" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "software_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
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
	"owner_id" integer,
	"is_published" boolean DEFAULT false NOT NULL,
	"sequence" integer NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"words" "tsvector" DEFAULT ''::tsvector NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "software_slug_unique" UNIQUE("slug"),
	CONSTRAINT "software_type" CHECK ("software"."type" between 1 and 4)
);
--> statement-breakpoint
CREATE TABLE "software_tag" (
	"software_id" integer NOT NULL,
	"tag_id" integer NOT NULL,
	CONSTRAINT "software_tag_software_id_tag_id_pk" PRIMARY KEY("software_id","tag_id")
);
--> statement-breakpoint
ALTER TABLE "image" DROP CONSTRAINT "image_build_state";--> statement-breakpoint
ALTER TABLE "image" ADD COLUMN "description_zh" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "image" ADD COLUMN "description_en" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "image" ADD COLUMN "owner_id" integer;--> statement-breakpoint
ALTER TABLE "image" ADD COLUMN "version_id" integer;--> statement-breakpoint
ALTER TABLE "image" ADD COLUMN "commit" jsonb;--> statement-breakpoint
ALTER TABLE "image" ADD COLUMN "is_rebuild_wanted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "image" ADD COLUMN "claimed_by" uuid;--> statement-breakpoint
ALTER TABLE "image" ADD COLUMN "claimed_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "image" ADD COLUMN "updated_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "lab_task" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "lab" ADD COLUMN "owner_id" integer;--> statement-breakpoint
ALTER TABLE "lab" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "setting" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "setting" ADD COLUMN "updated_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "setting" ADD COLUMN "updated_by" integer;--> statement-breakpoint
ALTER TABLE "specification" ADD COLUMN "owner_id" integer;--> statement-breakpoint
ALTER TABLE "specification" ADD COLUMN "created_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "software_id" integer;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "computer_id" integer;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "specification_id" integer;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "machine" text;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "reminded_for" bigint;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "storage_bytes" bigint;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "storage_base" bigint;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "lost_node" text;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "lost_node_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "is_lost_node_back" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "worker" ADD COLUMN "machine" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "computer" ADD CONSTRAINT "computer_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "computer" ADD CONSTRAINT "computer_specification_id_specification_id_fk" FOREIGN KEY ("specification_id") REFERENCES "public"."specification"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "image_version" ADD CONSTRAINT "image_version_image_id_image_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."image"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "image_version" ADD CONSTRAINT "image_version_created_by_user_account_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "software" ADD CONSTRAINT "software_domain_id_domain_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domain"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "software" ADD CONSTRAINT "software_specification_id_specification_id_fk" FOREIGN KEY ("specification_id") REFERENCES "public"."specification"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "software" ADD CONSTRAINT "software_owner_id_user_account_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "software_tag" ADD CONSTRAINT "software_tag_software_id_software_id_fk" FOREIGN KEY ("software_id") REFERENCES "public"."software"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "software_tag" ADD CONSTRAINT "software_tag_tag_id_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tag"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "computer_user" ON "computer" USING btree ("user_id") WHERE deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "image_version_number" ON "image_version" USING btree ("image_id","number");--> statement-breakpoint
CREATE INDEX "image_version_reference" ON "image_version" USING btree ("reference");--> statement-breakpoint
CREATE INDEX "software_sequence" ON "software" USING btree ("sequence","id");--> statement-breakpoint
CREATE INDEX "software_updated" ON "software" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "software_uses" ON "software" USING btree ("uses","id");--> statement-breakpoint
CREATE INDEX "software_words" ON "software" USING gin ("words");--> statement-breakpoint
CREATE INDEX "software_title_zh_trgm" ON "software" USING gin ("title_zh" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "software_title_en_trgm" ON "software" USING gin ("title_en" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "software_tag_tag" ON "software_tag" USING btree ("tag_id");--> statement-breakpoint
ALTER TABLE "image" ADD CONSTRAINT "image_owner_id_user_account_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "image" ADD CONSTRAINT "image_version_id_image_version_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."image_version"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lab" ADD CONSTRAINT "lab_owner_id_user_account_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "setting" ADD CONSTRAINT "setting_updated_by_user_account_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "specification" ADD CONSTRAINT "specification_owner_id_user_account_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_software_id_software_id_fk" FOREIGN KEY ("software_id") REFERENCES "public"."software"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_computer_id_computer_id_fk" FOREIGN KEY ("computer_id") REFERENCES "public"."computer"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_specification_id_specification_id_fk" FOREIGN KEY ("specification_id") REFERENCES "public"."specification"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "image_commit_usage" ON "image" USING btree ((commit ->> 'usageID')) WHERE commit is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "specification_node_name" ON "specification_node" USING btree ("specification_id","name");--> statement-breakpoint
CREATE INDEX "specification_node_image" ON "specification_node" USING btree ("image_id");--> statement-breakpoint
ALTER TABLE "image" ADD CONSTRAINT "image_commit" CHECK (("image"."build_state" = 'committing') = ("image"."commit" is not null));--> statement-breakpoint
ALTER TABLE "image" ADD CONSTRAINT "image_build_state" CHECK ("image"."build_state" in ('waiting', 'building', 'committing', 'ready', 'failed'));--> statement-breakpoint
INSERT INTO "image_version" ("image_id", "number", "reference", "created_at") SELECT "id", 1, "reference", coalesce("build_started_at", "created_at") FROM "image" i WHERE "reference" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "image_version" v WHERE v."image_id" = i."id");
--> statement-breakpoint
UPDATE "image" SET "version_id" = v."id" FROM "image_version" v WHERE v."image_id" = "image"."id" AND "image"."version_id" IS NULL;

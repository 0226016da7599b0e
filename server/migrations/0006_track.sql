CREATE TABLE "track_hour" (
	"hour" timestamp with time zone NOT NULL,
	"module" smallint NOT NULL,
	"user_id" integer NOT NULL,
	"views" integer NOT NULL,
	"sessions" integer NOT NULL,
	"minutes" integer NOT NULL,
	CONSTRAINT "track_hour_hour_module_user_id_pk" PRIMARY KEY("hour","module","user_id")
);
--> statement-breakpoint
CREATE TABLE "track_record" (
	"at" timestamp with time zone NOT NULL,
	"type" smallint NOT NULL,
	"fields" integer[] NOT NULL,
	"session_id" text NOT NULL,
	"user_id" integer,
	"url" text NOT NULL,
	"from_url" text NOT NULL
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "track_record_rest" PARTITION OF "track_record" DEFAULT;
--> statement-breakpoint
CREATE INDEX "track_hour_user" ON "track_hour" USING btree ("user_id","hour");--> statement-breakpoint
CREATE INDEX "track_record_at" ON "track_record" USING btree ("at");
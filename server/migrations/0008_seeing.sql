CREATE TABLE "track_visit" (
	"user_id" integer NOT NULL,
	"lab_id" integer NOT NULL,
	"task_id" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "track_visit_user_id_lab_id_task_id_pk" PRIMARY KEY("user_id","lab_id","task_id")
);
--> statement-breakpoint
ALTER TABLE "track_visit" ADD CONSTRAINT "track_visit_user_id_user_account_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "track_visit" ADD CONSTRAINT "track_visit_lab_id_lab_id_fk" FOREIGN KEY ("lab_id") REFERENCES "public"."lab"("id") ON DELETE cascade ON UPDATE no action;
/** A course with people in it, for tests of homework. */
import type {
  HomeworkFile,
  ManagedCourse,
  ManagedHomework,
  ScoreDetail,
} from '@hypercube/contract';
import { sql } from 'drizzle-orm';
import { World, type Answer, type Person, type WorldOptions } from './world.ts';

export const PDF = Buffer.from('%PDF-1.4\n1 0 obj << >> endobj\ntrailer << >>\n%%EOF\n');
const DAY = 86_400;

/** The status of an answer, and the code of a refusal. */
export const outcome = ({ status, body }: Answer<unknown>): unknown[] => [
  status,
  (body as { Code?: string } | null)?.Code,
];

/** A course of the teacher’s with an assistant and two students; `graduate` is a stranger to it. */
export class HomeworkClass {
  readonly world: World;
  admin!: Person;
  teacher!: Person;
  assistant!: Person;
  student!: Person;
  student2!: Person;
  graduate!: Person;
  course!: ManagedCourse;
  readonly ids: Record<string, number> = {};
  #made = 0;

  private constructor(world: World) {
    this.world = world;
  }

  static async create(options: WorldOptions = {}): Promise<HomeworkClass> {
    const made = new HomeworkClass(await World.create(options));
    await made.#fill();
    return made;
  }

  async #fill(): Promise<void> {
    const { world } = this;
    this.admin = await world.signIn('admin', 'admin');
    this.teacher = await world.signIn('teacher', 'teacher');
    this.assistant = await world.signIn('assistant', 'assistant');
    this.student = await world.signIn('student');
    this.student2 = await world.signIn('student2');
    this.graduate = await world.signIn('graduate');
    for (const { id, username } of await world.sql<{ id: number; username: string }>(
      sql`select id, username from user_account`,
    ))
      this.ids[username] = id;
    await world.sql(
      sql`update user_account set student_id = '2023001', real_name = '林同学' where username = 'student'`,
    );
    await world.sql(
      sql`update user_account set student_id = '2023002', real_name = '陈 同学' where username = 'student2'`,
    );
    const { body } = await this.teacher.call<ManagedCourse>('POST', '/course', {
      TitleZh: '并行程序设计',
      TitleEn: 'Parallel programming',
      CoverKind: 'ring',
      IsPublished: true,
    });
    this.course = body;
    for (const person of [this.student, this.student2])
      await person.call('POST', `/course/${body.ID}/membership`, {});
    await this.teacher.call('POST', `/course/${body.ID}/assistant`, { Name: 'assistant' });
  }

  get now(): number {
    return this.world.clock.now().getTime();
  }

  /** A moment so many seconds from now. */
  at(seconds: number): string {
    return new Date(this.now + seconds * 1000).toISOString();
  }

  fields(changes: Record<string, unknown> = {}): Record<string, unknown> {
    this.#made += 1;
    return {
      TitleZh: `作业${this.#made}`,
      TitleEn: `Homework ${this.#made}`,
      ContentZh: '写一个环',
      DueAt: this.at(7 * DAY),
      IsPublished: true,
      ...changes,
    };
  }

  /** A published homework that is due in a week. */
  async set(changes: Record<string, unknown> = {}, by = this.teacher): Promise<ManagedHomework> {
    const answer = await by.call<ManagedHomework>(
      'POST',
      `/course/${this.course.ID}/homework`,
      this.fields(changes),
    );
    if (answer.status !== 201) throw new Error(`not set: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  path({ ID }: { readonly ID: number }, rest = ''): string {
    return `/course/${this.course.ID}/homework/${ID}${rest}`;
  }

  /** Sends a file that is about to be handed in. */
  async send(
    homework: { readonly ID: number },
    person = this.student,
    file: { readonly name: string; readonly content: Buffer | string } = {
      name: '报告.pdf',
      content: PDF,
    },
  ): Promise<HomeworkFile> {
    const answer = await person.upload<HomeworkFile>(this.path(homework, '/submission/file'), file);
    if (answer.status !== 201) throw new Error(`not sent: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  submit(
    homework: { readonly ID: number },
    person = this.student,
    body: Record<string, unknown> = { Text: '答案' },
  ) {
    return person.call<{ ID: number; Version: number; State: number; Code?: string }>(
      'POST',
      this.path(homework, '/submission'),
      body,
    );
  }

  score(homework: { readonly ID: number }, username: string, by = this.teacher) {
    return by.call<ScoreDetail>('GET', this.path(homework, `/score/${this.ids[username]}`));
  }

  /** Gives points for what is there now. */
  async grade(
    homework: { readonly ID: number },
    username: string,
    body: Record<string, unknown>,
    by = this.teacher,
  ) {
    const { Version } = (await this.score(homework, username)).body;
    return by.call<ScoreDetail & { Code?: string }>(
      'PUT',
      this.path(homework, `/score/${this.ids[username]}`),
      { Version, ...body },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

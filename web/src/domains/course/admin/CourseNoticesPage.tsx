/** The notices of a course, for those who write them. */
import { TEXT_LIMITS, type CourseNotice, type ManagedCourse } from '@hypercube/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useLanguage, useMessages } from '../../../kernel/language.tsx';
import { paths, readID } from '../../../kernel/paths.ts';
import { toast } from '../../../kernel/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/Dialog.tsx';
import { DraftActions } from '../../../ui/form/DraftActions.tsx';
import { AreaField, LineField } from '../../../ui/form/fields.tsx';
import { Form, useDraft } from '../../../ui/form/form.tsx';
import { useKeptFocus } from '../../../ui/kept-focus.ts';
import { Pagination } from '../../../ui/Pagination.tsx';
import { ErrorState, LoadingRegion } from '../../../ui/states.tsx';
import { NOTICES_PER_PAGE, noticesQuery } from '../course.api.ts';
import { NoticeText } from '../CourseNotices.tsx';
import { createNotice, deleteNotice, updateNotice, useCoursesChanged } from './course-admin.api.ts';
import { CourseFrame } from './CourseFrame.tsx';

export const CourseNoticesPage = (): ReactNode => (
  <CourseFrame tab="notification">
    {(course) => <Notices key={course.ID} course={course} />}
  </CourseFrame>
);

interface Draft {
  readonly TitleZh: string;
  readonly TitleEn: string;
  readonly ContentZh: string;
  readonly ContentEn: string;
}
const EMPTY: Draft = { TitleZh: '', TitleEn: '', ContentZh: '', ContentEn: '' };
const draftOf = ({ TitleZh, TitleEn, ContentZh, ContentEn }: CourseNotice): Draft => ({
  TitleZh,
  TitleEn,
  ContentZh,
  ContentEn,
});

/** Writes a notice, or changes one. What is typed outlives a reload. */
function NoticeDialog({
  courseID,
  notice,
  onClose,
}: {
  readonly courseID: number;
  /** null: a new one. */
  readonly notice: CourseNotice | null;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.course.admin;
  const changed = useCoursesChanged();
  const saved = notice === null ? EMPTY : draftOf(notice);
  const form = useDraft<Draft>(
    notice === null ? `course-notice-new-${courseID}` : `course-notice-${notice.ID}`,
    saved,
    notice?.Version,
  );
  const values = form.values ?? saved;
  const saving = useMutation({
    mutationFn: () =>
      notice === null
        ? createNotice(courseID, values)
        : updateNotice(courseID, notice.ID, { ...values, Version: form.version }),
    onSuccess: () => {
      form.forget();
      toast('success', notice === null ? words.noticePublished : words.noticeSaved);
      void changed();
      onClose();
    },
    meta: { isHandled: true },
  });
  const errors: Record<string, string> = {
    ...(values.TitleZh.trim() === '' ? { TitleZh: messages.form.required(words.noticeTitle) } : {}),
    ...(values.ContentZh.trim() === ''
      ? { ContentZh: messages.form.required(words.noticeContent) }
      : {}),
  };
  const tooLong = (key: keyof Draft, label: string, max: number): void => {
    if (Array.from(values[key]).length > max) errors[key] = messages.form.tooLong(label, max);
  };
  tooLong('TitleZh', words.noticeTitle, TEXT_LIMITS.notificationTitle);
  tooLong('TitleEn', words.noticeTitle, TEXT_LIMITS.notificationTitle);
  tooLong('ContentZh', words.noticeContent, TEXT_LIMITS.notificationContent);
  tooLong('ContentEn', words.noticeContent, TEXT_LIMITS.notificationContent);
  const title = notice === null ? words.writeTitle : words.editTitle;
  return (
    <Dialog title={title} isWide onClose={onClose}>
      <Form
        label={title}
        errors={errors}
        failure={saving.error}
        isBusy={saving.isPending}
        isDirty={false}
        submit={notice === null ? words.publishNotice : messages.form.save}
        onSubmit={() => saving.mutate()}
        extra={
          <DraftActions
            failure={saving.error}
            onReload={() => {
              form.forget();
              void changed();
              onClose();
            }}
          />
        }
      >
        <LineField
          label={messages.form.inChinese(words.noticeTitle)}
          value={values.TitleZh}
          max={TEXT_LIMITS.notificationTitle}
          isRequired
          error={errors['TitleZh']}
          onChange={(TitleZh) => form.change({ TitleZh })}
        />
        <AreaField
          label={messages.form.inChinese(words.noticeContent)}
          value={values.ContentZh}
          max={TEXT_LIMITS.notificationContent}
          rows={4}
          isRequired
          error={errors['ContentZh']}
          onChange={(ContentZh) => form.change({ ContentZh })}
        />
        <LineField
          label={messages.form.inEnglish(words.noticeTitle)}
          hint={messages.form.englishHint}
          value={values.TitleEn}
          max={TEXT_LIMITS.notificationTitle}
          error={errors['TitleEn']}
          onChange={(TitleEn) => form.change({ TitleEn })}
        />
        <AreaField
          label={messages.form.inEnglish(words.noticeContent)}
          value={values.ContentEn}
          max={TEXT_LIMITS.notificationContent}
          error={errors['ContentEn']}
          onChange={(ContentEn) => form.change({ ContentEn })}
        />
      </Form>
    </Dialog>
  );
}

type Open =
  | { readonly kind: 'write' }
  | { readonly kind: 'edit' | 'delete'; readonly notice: CourseNotice };

function Notices({ course }: { readonly course: ManagedCourse }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.course.admin;
  const changed = useCoursesChanged();
  const kept = useKeptFocus<HTMLUListElement>();
  const search: { readonly page?: unknown } = useSearch({ strict: false });
  const page = readID(typeof search.page === 'string' ? search.page : undefined) ?? 1;
  const { data, error, refetch } = useQuery(noticesQuery(course.ID, page, language));
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const removing = useMutation({
    mutationFn: (notice: CourseNotice) => deleteNotice(course.ID, notice.ID),
    onSuccess: () => void toast('success', words.noticeDeleted),
    onSettled: () => {
      close();
      return changed();
    },
  });
  return (
    <section aria-label={words.notices}>
      <div className="notice-bar">
        <p className="muted">{words.noticesText}</p>
        <Button look="primary" onClick={() => setOpen({ kind: 'write' })}>
          {words.write}
        </Button>
      </div>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion />
        )
      ) : data.List.length === 0 ? (
        <p>{words.noNotices}</p>
      ) : (
        <>
          <ul className="card notices" aria-label={words.notices} {...kept}>
            {data.List.map((notice) => (
              <li key={notice.ID}>
                <NoticeText notice={notice}>
                  <span className="row">
                    <Button
                      isSmall
                      aria-label={words.editNamed(notice.Title)}
                      onClick={() => setOpen({ kind: 'edit', notice })}
                    >
                      {messages.form.edit}
                    </Button>
                    <Button
                      isSmall
                      look="danger"
                      aria-label={words.deleteNamed(notice.Title)}
                      onClick={() => setOpen({ kind: 'delete', notice })}
                    >
                      {messages.form.delete}
                    </Button>
                  </span>
                </NoticeText>
              </li>
            ))}
          </ul>
          <Pagination
            page={page}
            pageSize={NOTICES_PER_PAGE}
            total={data.Total}
            to={paths.admin.course(course.ID, 'notification')}
            searchFor={(number) => ({ page: String(number) })}
          />
        </>
      )}
      {open === null ? null : open.kind === 'delete' ? (
        <ConfirmDialog
          title={words.deleteNoticeTitle(open.notice.Title)}
          text={words.deleteNoticeText}
          confirm={messages.form.delete}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(open.notice)}
          onClose={close}
        />
      ) : (
        <NoticeDialog
          courseID={course.ID}
          notice={open.kind === 'edit' ? open.notice : null}
          onClose={close}
        />
      )}
    </section>
  );
}

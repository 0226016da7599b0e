/** A course with its text, facts and parts, from what is given. */
import type { CourseDetail } from '@hypercube/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount, formatDay } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Cover, tint } from '../../ui/Cover.tsx';
import { LeftIcon } from '../../ui/icons.tsx';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { EmptyState } from '../../ui/states.tsx';
import '../../ui/tabs.css';
import '../lab/detail.css';
import { COURSE_TABS, isInside, wayIn, type CourseTab } from './course.ts';
import './course.css';

export interface CourseDetailViewProps {
  readonly course: CourseDetail;
  readonly tab: CourseTab;
  /** The way in, or what one is in it. */
  readonly join: ReactNode;
  /** What a part other than the text shows. */
  readonly children?: ReactNode;
}

function Facts({ course }: { readonly course: CourseDetail }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.course;
  const facts: [string, ReactNode][] = [
    [
      words.factOwner,
      course.Owner === null ? (
        words.noOwner
      ) : (
        <span className="row course-owner" key="owner">
          <Avatar name={course.Owner.Nickname} path={course.Owner.Avatar} size={24} />
          {course.Owner.Nickname}
        </span>
      ),
    ],
    [words.factMembers, words.members(formatCount(course.Members))],
    [words.factJoin, words.modes[wayIn(course)]],
    [words.factUpdated, formatDay(course.UpdatedAt, language)],
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The parts, for those who are in the course. */
function Tabs({ course, tab }: Pick<CourseDetailViewProps, 'course' | 'tab'>): ReactNode {
  const { messages } = useLanguage();
  const words = messages.course;
  return (
    <nav className="tabs course-tabs" aria-label={words.tabsLabel}>
      {COURSE_TABS.map((name) => (
        <Link
          key={name}
          to={paths.course(course.ID)}
          search={name === 'content' ? {} : { tab: name }}
          resetScroll={false}
          // The address of the first part begins those of the others.
          activeOptions={{ exact: true }}
          activeProps={{}}
          aria-current={name === tab ? 'page' : undefined}
        >
          {words.tabs[name]}
        </Link>
      ))}
    </nav>
  );
}

function Text({ course }: { readonly course: CourseDetail }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.course;
  if (course.Content === null) {
    return (
      <div className="card">
        <EmptyState title={words.onlyMembers} text={words.onlyMembersText} />
      </div>
    );
  }
  return (
    <article className="card course-text">
      {course.Content.trim() === '' ? (
        <p className="muted">{words.noContent}</p>
      ) : (
        <Markdown text={course.Content} mediaPath="" />
      )}
    </article>
  );
}

export function CourseDetailView({
  course,
  tab,
  join,
  children,
}: CourseDetailViewProps): ReactNode {
  const { messages } = useLanguage();
  const words = messages.course;
  return (
    <div className="wrap">
      <Link to={paths.courses} className="back-link">
        <LeftIcon />
        {words.title}
      </Link>
      <div className="lab-detail">
        <div className="card lab-hero">
          <Cover
            kind={course.Cover.Kind}
            seed={course.Cover.Seed}
            colour={(course.Tags[0] ?? course.Domain)?.Color}
          />
          <div className="lab-hero-body">
            <PageTitle name={course.Title}>{course.Title}</PageTitle>
            <p className="lab-description">{course.Description}</p>
            <ul className="row row-wrap tags">
              {course.IsPrivate ? <li className="tag">{words.private}</li> : null}
              {course.Domain ? (
                <li className="tag tag-coloured" style={tint(course.Domain.Color)}>
                  {course.Domain.Title}
                </li>
              ) : null}
              {course.Tags.map((tag) => (
                <li className="tag tag-coloured" style={tint(tag.Color)} key={tag.ID}>
                  {tag.Title}
                </li>
              ))}
            </ul>
          </div>
        </div>
        <aside className="lab-side" aria-label={words.facts}>
          <div className="card side-card stack">
            {join}
            <Facts course={course} />
          </div>
        </aside>
        <div className="course-main">
          {isInside(course.MyRole) ? <Tabs course={course} tab={tab} /> : null}
          {tab === 'content' ? <Text course={course} /> : children}
        </div>
      </div>
    </div>
  );
}

/** What a problem asks: its limits, its text, its examples. */
import type { ProblemDetail } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { formatBytes, formatDuration } from '../../kernel/format.ts';
import { useLanguage } from '../../kernel/language.tsx';
import { writeClipboard } from '../../kernel/clipboard.ts';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyIcon } from '../../ui/icons.tsx';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { rateOf } from './rate.ts';

function SampleText({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problem;
  return (
    <div className="sample">
      <div className="row row-apart">
        <h3>{label}</h3>
        <Button
          look="quiet"
          isSmall
          aria-label={`${words.copy}${messages.common.dotSeparator}${label}`}
          onClick={() =>
            void writeClipboard(text).then((isDone) => {
              if (isDone) toast('success', messages.common.copied);
            })
          }
        >
          <CopyIcon />
          {words.copy}
        </Button>
      </div>
      <pre className="plain-text">{text}</pre>
    </div>
  );
}

export function Statement({ problem }: { readonly problem: ProblemDetail }): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problem;
  const rate = rateOf(problem);
  const facts = [
    problem.Languages.map((one) => words.languages[one]).join(messages.common.listSeparator),
    words.cpuLimit(formatDuration(problem.CpuMs)),
    words.memoryLimit(formatBytes(problem.MemoryBytes)),
    problem.Parallelism > 1 ? words.threads(problem.Parallelism) : null,
    words.tests(problem.TestCount),
    rate === null ? null : `${words.rate} ${words.rateOf(rate)}`,
  ];
  return (
    <div className="statement">
      <p className="muted">
        {facts.filter((fact) => fact !== null).join(messages.common.dotSeparator)}
      </p>
      <PageTitle name={problem.Title}>{problem.Title}</PageTitle>
      <div className="row row-wrap problem-tags">
        {problem.Tags.map((tag) => (
          <span key={tag.ID} className="tag">
            {tag.Title}
          </span>
        ))}
      </div>
      <Markdown text={problem.Content} mediaPath="" />
      {problem.Samples.length > 0 ? (
        <>
          <h2>{words.samples}</h2>
          {problem.Samples.map((sample, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the number is what names an example
            <div key={index} className="samples">
              <SampleText label={words.sampleInput(index + 1)} text={sample.Input} />
              <SampleText label={words.sampleOutput(index + 1)} text={sample.Output} />
              {sample.IsCut ? <p className="muted">{words.sampleCut}</p> : null}
            </div>
          ))}
        </>
      ) : null}
    </div>
  );
}

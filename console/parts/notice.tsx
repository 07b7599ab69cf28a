import type { ComponentChildren } from 'preact';
import type { Problem } from '../app/problem.ts';
import type { Resource } from '../app/resource.ts';
import { say, texts } from '../texts.ts';
import { Button } from './button.tsx';

type NoticeProps = Readonly<{ kind: 'info' | 'good' | 'warning' | 'bad'; children: ComponentChildren }>;

/** A message in its place on the page; a bad one is read out at once. */
export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
);

type ProblemProps = Readonly<{ problem: Problem; retry?: () => void }>;

/** What went wrong, what the person can do, and the number by which the operator finds it. */
export const ProblemNotice = ({ problem, retry }: ProblemProps) => {
  const { title, detail, code, errors = [], requestId, retryable } = problem;
  const remedies: Readonly<Record<string, string>> = texts.remedies;
  const remedy = remedies[code] ?? (retryable ? texts.remedies.retryable : texts.remedies.final);
  return (
    <Notice kind="bad">
      <p>
        <strong>{title}.</strong> {detail}
      </p>
      {errors.length > 0 && (
        <ul>
          {errors.map((fault) => (
            <li key={fault.pointer}>
              <code>{fault.pointer}</code> {fault.detail}
            </li>
          ))}
        </ul>
      )}
      <p>
        {remedy} {requestId && <small>{say(texts.requestNumber, { id: requestId })}</small>}
      </p>
      {retry && <Button onClick={retry}>{texts.tryAgain}</Button>}
    </Notice>
  );
};

/** Nothing to show, and why. */
export const Empty = ({ children }: Readonly<{ children: ComponentChildren }>) => (
  <p class="empty">{children}</p>
);

/** In the place of what is being read. */
export const Skeleton = ({ lines = 3 }: Readonly<{ lines?: number }>) => (
  <div class="skeleton" aria-busy="true">
    <span class="hidden">{texts.loading}</span>
    {Array.from({ length: lines }, (_, index) => (
      <div key={index} />
    ))}
  </div>
);

type ReadingProps = Readonly<{
  resource: Pick<Resource<unknown>, 'value' | 'problem' | 'reload'>;
  lines?: number;
}>;

/** Why something can't be read, or that it is being read; nothing once it is there. */
export const Reading = ({ resource: { value, problem, reload }, lines = 3 }: ReadingProps) => {
  if (problem) return <ProblemNotice problem={problem} retry={reload} />;
  return value === null ? <Skeleton lines={lines} /> : null;
};

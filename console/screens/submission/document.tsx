import type { ComponentChildren } from 'preact';
import { useKeys } from '../../app/keys.ts';
import { Button } from '../../parts/button.tsx';
import { Notice, ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { say, texts } from '../../texts.ts';
import { reasonText } from './fields.ts';
import { Pages, type PagesProps } from './pageView.tsx';
import { Thumbnails } from './thumbnails.tsx';
import { type File, nameOf, useView, type View } from './viewing.ts';

type DocumentProps = Omit<PagesProps, 'view' | 'file' | 'pages' | 'title'>;

const own = texts.document;

/** The documents of a submission, with their keys and the small pictures of their pages. */
export const Document = (props: DocumentProps) => {
  const view = useView(props.read, props.focused);
  useKeys(view.tools);
  const { file, pages, count } = view;
  return (
    <section class="document" aria-label={own.title}>
      <Viewer {...props} view={view}>
        {file && pages.value && count > 1 && <Thumbnails submissionId={props.read.detail.id} view={view} />}
      </Viewer>
    </section>
  );
};

type ViewerProps = Omit<PagesProps, 'file' | 'pages' | 'title'> &
  Readonly<{ title?: string; children?: ComponentChildren }>;

/** The documents of a submission, one below the other, with a box for each value that was read there. */
export const Viewer = ({ children, title = own.title, ...props }: ViewerProps) => {
  const { read, view } = props;
  const { file, pages, page } = view;
  if (!file) return <p class="empty">{own.none}</p>;
  const doubts = read.detail.reviewReasons.filter(
    ({ place }) => place?.fileId === file.id && place.page === page,
  );
  return (
    <>
      <Tools files={read.detail.files} file={file} view={view} />
      {doubts.map((reason) => (
        <Notice key={reason.code} kind="warning">
          {reasonText(read.detail, reason)}
        </Notice>
      ))}
      {pages.problem && <ProblemNotice problem={pages.problem} retry={pages.reload} />}
      {!pages.problem && !pages.value && <Skeleton lines={6} />}
      {pages.value && (
        <div class="paper">
          {children}
          <Pages key={file.id} {...{ ...props, title, file }} pages={pages.value.pages} />
        </div>
      )}
    </>
  );
};

type ToolsProps = Readonly<{ files: readonly File[]; file: File; view: View }>;

const Tools = ({ files, file, view: { page, count, show, tools } }: ToolsProps) => (
  <div class="tools">
    {files.length === 1 ? (
      <span class="name">{nameOf(file)}</span>
    ) : (
      <select aria-label={own.file} value={file.id} onChange={(event) => show(event.currentTarget.value, 1)}>
        {files.map((one) => (
          <option key={one.id} value={one.id}>
            {nameOf(one)}
          </option>
        ))}
      </select>
    )}
    <span>{say(own.page, { page, count })}</span>
    {tools.map((tool) => (
      <Button class="plain" key={tool.key} title={tool.text} aria-label={tool.text} onClick={tool.run}>
        {tool.sign}
      </Button>
    ))}
    <a href={file.downloadUrl} download target="_blank" rel="noopener noreferrer">
      {own.download}
    </a>
  </div>
);

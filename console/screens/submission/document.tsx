import { useEffect, useRef, useState } from 'preact/hooks';
import type { SubmissionDetail } from '../../../schemas/submissions.ts';
import { useKeys } from '../../app/keys.ts';
import { Button } from '../../parts/button.tsx';
import { Notice, ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { ScrollRegion } from '../../parts/scrollRegion.tsx';
import { say, texts } from '../../texts.ts';
import { asText, reasonText } from './fields.ts';
import { usePage, usePagesOf } from './pages.ts';
import type { Read } from './read.ts';
import { Sheet } from './sheet.tsx';

type File = SubmissionDetail['files'][number];

/** A page of a file; null for its whole. */
export type Spot = Readonly<{ file: File; page: number | null }>;

type DocumentProps = Readonly<{
  read: Read;
  /** The field that is pointed at or has the focus; the page of the latter is then shown. */
  active: string | null;
  focused: string | null;
  onActive(name: string | null): void;
  onChosen(name: string): void;
}>;

export type View = ReturnType<typeof useView>;

const own = texts.document;
const ZOOMS = [1, 1.5, 2, 3, 4] as const;

/** The documents of a submission, with their keys. */
export const Document = (props: DocumentProps) => {
  const view = useView(props.read, props.focused);
  useKeys(view.tools);
  return (
    <section class="document" aria-label={own.title}>
      <Viewer {...props} view={view} />
    </section>
  );
};

type ViewerProps = Omit<DocumentProps, 'focused'> & Readonly<{ view: View; title?: string }>;

/** The documents of a submission, one page at a time, with a box on it for each value that was read there. */
export const Viewer = (props: ViewerProps) => {
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
      {!pages.problem && <PageView {...props} {...view} file={file} pages={pages.value} />}
    </>
  );
};

/** Which page is shown, and how; its tools. `start`: what is shown first. */
export const useView = (
  { detail: { id: submissionId, files }, fields }: Read,
  focused: string | null,
  start?: Spot,
) => {
  const [fileId, setFile] = useState((start?.file ?? files[0])?.id ?? '');
  const [page, setPage] = useState(start?.page ?? 1);
  const [zoom, setZoom] = useState(0);
  const [turn, setTurn] = useState(0);
  const pages = usePagesOf(submissionId, fileId);
  const count = pages.value?.pages.length ?? 1;
  const place = fields.find(({ name }) => name === focused)?.place;
  const show = (file: string, number: number): void => {
    setFile(file);
    setPage(number);
  };
  useEffect(() => {
    if (place && files.some(({ id }) => id === place.fileId)) show(place.fileId, place.page);
  }, [focused]);
  const step = (by: number): void => {
    const at = files.findIndex(({ id }) => id === fileId) + by;
    if (page + by >= 1 && page + by <= count) setPage(page + by);
    else if (files[at]) show(files[at].id, 1);
  };
  const zoomBy = (by: number): void => setZoom(Math.min(ZOOMS.length - 1, Math.max(0, zoom + by)));
  const tools = [
    { key: '[', text: own.previousPage, sign: '‹', run: () => step(-1) },
    { key: ']', text: own.nextPage, sign: '›', run: () => step(1) },
    { key: '-', text: own.smaller, sign: '−', run: () => zoomBy(-1) },
    { key: '+', text: own.larger, sign: '+', run: () => zoomBy(1) },
    { key: 't', text: own.turn, sign: '↻', run: () => setTurn((turn + 90) % 360) },
  ];
  const file = files.find(({ id }) => id === fileId);
  return { file, page, pages, count, zoom: ZOOMS[zoom] ?? 1, turn, show, tools };
};

type ToolsProps = Readonly<{ files: readonly File[]; file: File; view: View }>;

const Tools = ({ files, file, view: { page, count, show, tools } }: ToolsProps) => (
  <div class="tools">
    {files.length === 1 ? (
      <span>{nameOf(file)}</span>
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

/** What a file is for, and its own name. */
export const nameOf = ({ fileName, label }: File): string =>
  fileName === null ? label : `${label}: ${fileName}`;

type PageViewProps = Omit<ViewerProps, 'view'> &
  Readonly<{
    file: File;
    page: number;
    pages: Readonly<{ pages: readonly Readonly<{ page: number }>[] }> | null;
    zoom: number;
    turn: number;
  }>;

/** A width that is sharp on screens with two dots a pixel, and a greater one for a closer look, in pixels. */
const WIDTHS = [1_200, 2_400] as const;

const PageView = (props: PageViewProps) => {
  const { read, active, title = own.title, file, page, pages, zoom } = props;
  const region = useRef<HTMLElement>(null);
  const width = WIDTHS[zoom > 1.5 ? 1 : 0];
  const { value, problem, reload } = usePage(read.detail.id, file.id, pages ? page : null, width);
  const here = read.fields.filter(({ place }) => place?.fileId === file.id && place.page === page);
  if (problem) return <ProblemNotice problem={problem} retry={reload} />;
  if (!value) return <Skeleton lines={6} />;
  const label = `${title}: ${nameOf(file)}, ${say(own.page, { page, count: pages?.pages.length ?? page })}`;
  return (
    <ScrollRegion own={region} class="page" label={label}>
      {'text' in value ? (
        <Text text={value.text} found={here.find(({ name }) => name === active)?.text ?? null} />
      ) : (
        <Sheet
          {...props}
          picture={value.picture}
          alternative={here.map(({ label: name, value: read }) => `${name}: ${asText(read)}`).join('; ')}
          fields={here}
        />
      )}
    </ScrollRegion>
  );
};

/** A text with what was found in it marked, once. */
const Text = ({ text, found }: Readonly<{ text: string; found: string | null }>) => {
  const at = found ? text.indexOf(found) : -1;
  if (!found || at < 0) return <pre>{text}</pre>;
  return (
    <pre>
      {text.slice(0, at)}
      <mark>{found}</mark>
      {text.slice(at + found.length)}
    </pre>
  );
};

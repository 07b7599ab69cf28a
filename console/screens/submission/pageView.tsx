import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { FilePages } from '../../../schemas/filePages.ts';
import { ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { ScrollRegion } from '../../parts/scrollRegion.tsx';
import { say, texts } from '../../texts.ts';
import { type Field, shownAs } from './fields.ts';
import { useGestures } from './gestures.ts';
import { NONE, useNear, usePage, useWords } from './pages.ts';
import type { Read } from './read.ts';
import { keepFixed, pageInView, READABLE, scrollToBox, scrollToPage } from './scrolling.ts';
import { type Room, Sheet, TextSheet, useRoom } from './sheet.tsx';
import { type File, nameOf, type View } from './viewing.ts';
import { useWalk, type Walked } from './walking.ts';
import type { Take } from './words.tsx';

export type PagesProps = Readonly<{
  read: Read;
  view: View;
  title: string;
  file: File;
  pages: FilePages['pages'];
  /** The field that is pointed at or has the focus; the place of the latter is made readable. */
  active: string | null;
  focused: string | null;
  onActive(name: string | null): void;
  onChosen(name: string): void;
  /** Takes words for the field with the focus; null where none has it, absent where none can. */
  take?: Take | null;
}>;

const own = texts.document;

/** The pages of a file, one below the other. */
export const Pages = (props: PagesProps) => {
  const { read, view, title, file, pages, active, focused } = props;
  const { page, jump, size, turn, fixed, zoomBy } = view;
  const region = useRef<HTMLElement>(null);
  const room = useRoom(region);
  const jumped = useRef(-1);
  const fields = read.fields.filter(({ place }) => place?.fileId === file.id);
  useGestures(region, zoomBy);
  const walked = useWalk(props);
  const isFixed = useRef(false);
  useLayoutEffect(() => {
    isFixed.current = fixed.current !== null;
    keepFixed(region.current, fixed.current);
    fixed.current = null;
  }, [size]);
  useEffect(() => {
    const box = fields.find(({ name }) => name === focused)?.place;
    if (!box?.box || !box.size || room.width === 0) return;
    const letters = ((box.box.bottom - box.box.top) / box.size.width) * room.width * view.drawn.current;
    if (letters < READABLE) zoomBy(READABLE / letters);
  }, [focused, room.width]);
  useEffect(() => {
    if (room.width === 0) return;
    if (jumped.current !== jump) scrollToPage(region.current, page);
    jumped.current = jump;
    if (!isFixed.current) scrollToBox(region.current?.querySelector(`[data-page="${page}"] .active`));
    isFixed.current = false;
  }, [active, jump, size, turn, room.width]);
  const count = pages.length;
  return (
    <>
      <ScrollRegion
        own={region}
        class={view.isStrong ? 'page strong' : 'page'}
        label={`${title}: ${nameOf(file)}, ${say(own.page, { page, count })}`}
        onScroll={() => view.scrolled(pageInView(region.current, page))}
      >
        {pages.map((one) => (
          <PageOf
            key={one.page}
            {...{ ...props, one, room }}
            walked={walked?.page === one.page ? walked : null}
            fields={fields.filter(({ place }) => place?.page === one.page)}
          />
        ))}
      </ScrollRegion>
      <p class="hidden" role="status">
        {walked?.text}
      </p>
    </>
  );
};

/** A width that is sharp on screens with two dots a pixel, and a greater one for a closer look, in pixels. */
const [USUAL, CLOSE] = [1_200, 2_400];

type PageOfProps = PagesProps &
  Readonly<{
    one: FilePages['pages'][number];
    room: Room;
    fields: readonly Field[];
    walked: Walked | null;
  }>;

/** A page, which is read once it is nearly in view. */
const PageOf = (props: PageOfProps) => {
  const { read, view, file, one, room, fields, active } = props;
  const place = useRef<HTMLDivElement>(null);
  const isNear = useNear(place, '.page');
  const number = isNear ? one.page : null;
  const { value, problem, reload } = usePage(read.detail.id, file.id, number, USUAL);
  const isClose = isNear && typeof view.size === 'number' && view.size > 1.5;
  const closer = usePage(read.detail.id, file.id, isClose ? one.page : null, CLOSE).value;
  const shown = closer ?? value;
  const isText = one.size === null;
  const words = useWords(view.words, read.detail, file.id, shown && !isText ? one.page : null) ?? NONE;
  return (
    <div ref={place} data-page={one.page}>
      {problem && <ProblemNotice problem={problem} retry={reload} />}
      {!problem && isText && !shown && <Skeleton lines={6} />}
      {shown && 'text' in shown && (
        <TextSheet text={shown.text} found={fields.find(({ name }) => name === active)?.text ?? null} />
      )}
      {!problem && one.size && (
        <Sheet
          {...{ view, room, fields, active, words }}
          walked={props.walked?.box ?? null}
          {...{ onActive: props.onActive, onChosen: props.onChosen }}
          focused={props.take ? props.focused : null}
          take={props.take ?? null}
          at={{ fileId: file.id, page: one.page, size: one.size }}
          isCurrent={one.page === view.page}
          picture={shown && 'picture' in shown ? shown.picture : null}
          alternative={fields.map(({ label, value: read }) => `${label}: ${shownAs(read)}`).join('; ')}
        />
      )}
    </div>
  );
};

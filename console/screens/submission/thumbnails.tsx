import { useRef } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { say, texts } from '../../texts.ts';
import { useNear, usePage } from './pages.ts';
import type { View } from './viewing.ts';

const own = texts.document;
const WIDTH = 200;

type ThumbnailsProps = Readonly<{ submissionId: string; view: View }>;

/** The pages of a file as small pictures: each leads to its page. */
export const Thumbnails = ({ submissionId, view }: ThumbnailsProps) => (
  <nav class="thumbnails" aria-label={own.thumbnails}>
    {view.pages.value?.pages.map(({ page }) => (
      <Thumbnail key={page} {...{ submissionId, view, page }} />
    ))}
  </nav>
);

const Thumbnail = ({ submissionId, view, page }: ThumbnailsProps & Readonly<{ page: number }>) => {
  const button = useRef<HTMLButtonElement>(null);
  const isNear = useNear(button, '.thumbnails');
  const fileId = view.file?.id ?? '';
  const { value } = usePage(submissionId, fileId, isNear ? page : null, WIDTH);
  return (
    <Button
      ref={button}
      class="plain"
      aria-label={say(own.page, { page, count: view.count })}
      aria-current={page === view.page ? 'page' : undefined}
      onClick={() => view.show(fileId, page)}
    >
      {value && 'picture' in value && <img src={value.picture} alt="" />}
      {page}
    </Button>
  );
};

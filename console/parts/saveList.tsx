import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListPath } from '../../client/types.ts';
import { announce } from '../app/announce.tsx';
import { type Page, readPage } from '../app/pages.ts';
import type { Query } from '../app/router.ts';
import { say, texts } from '../texts.ts';
import { Button } from './button.tsx';
import { number } from './quantity.ts';
import { saveTable, tableOf } from './save.ts';

const own = texts.csv;

const PAGE = 100;
/** More rows than these are not saved at once. */
const MAX_ROWS = 10_000;

type SaveProps = Readonly<{ path: ListPath; query?: Query }>;

/**
 * A button that saves a list with its filters as CSV, to its last row: a column for each member that the API
 * gives of them.
 */
export const SaveList = ({ path, query = {} }: SaveProps) => {
  const [read, setRead] = useState<number | null>(null);
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
    },
    [],
  );
  const run = async (): Promise<void> => {
    const rows: object[] = [];
    let cursor: string | null = null;
    do {
      setRead(rows.length);
      const found: Awaited<ReturnType<typeof readPage<Page<object>>>> = await readPage<Page<object>>(path, {
        query: { ...query, limit: PAGE, cursor },
      });
      if (found === null || isLeft.current) return;
      if (!('data' in found)) return announce(found.detail, true);
      rows.push(...found.data);
      cursor = found.pagination.hasMore ? found.pagination.nextCursor : null;
    } while (cursor !== null && rows.length < MAX_ROWS);
    saveTable(path.split('/').at(-1) ?? path, tableOf(rows));
    const count = rows.length;
    announce(cursor === null ? say(own.saved, { count }) : say(own.cut, { count: number(count) }));
  };
  const start = (): void => void run().finally(() => setRead(null));
  return (
    <Button disabled={read !== null} onClick={start}>
      {read === null ? own.save : say(own.reading, { count: number(read) })}
    </Button>
  );
};

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListPath } from '../../client/types.ts';
import { announce, announceProblem } from '../app/announce.tsx';
import { api } from '../app/api.ts';
import type { Query } from '../app/router.ts';
import { say, texts } from '../texts.ts';
import { Button } from './button.tsx';
import { number } from './quantity.ts';
import { saveTable, tableOf } from './save.ts';

const own = texts.csv;

const PAGE = 100;
/** More rows than these are not saved at once. */
const MAX_ROWS = 10_000;

/** `path`: of a list that is no other's part. */
type SaveProps = Readonly<{ path: Exclude<ListPath, `${string}{${string}`>; query?: Query }>;

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
    let isCut = false;
    setRead(0);
    for await (const row of api.list(path, { query: { ...query, limit: PAGE } })) {
      if (isLeft.current) return;
      isCut = rows.length === MAX_ROWS;
      if (isCut) break;
      rows.push(row);
      if (rows.length % PAGE === 0) setRead(rows.length);
    }
    saveTable(path.split('/').at(-1) ?? path, tableOf(rows));
    const count = rows.length;
    announce(isCut ? say(own.cut, { count: number(count) }) : say(own.saved, { count }));
  };
  const start = (): void =>
    void run()
      .catch(announceProblem)
      .finally(() => setRead(null));
  return (
    <Button disabled={read !== null} onClick={start}>
      {read === null ? own.save : say(own.reading, { count: number(read) })}
    </Button>
  );
};

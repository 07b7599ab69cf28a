import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Patch, start } from './program.ts';
import type { Engine, Say } from './start.ts';
import { writesInTurn } from './writesInTurn.ts';

const QUERIES = 'internal/backends/sqlite/collection.go';

/**
 * FerretDB 1.24 reads a whole collection to find a document by its `_id`: the query's expression is not that
 * of the index; it decodes all of it where a filter names anything else, or a list; and a read fails while its
 * collection is dropped. MongoDB does none of that.
 */
const AS_MONGODB: Patch = {
  module: 'github.com/FerretDB/FerretDB',
  changes: [
    [
      'internal/backends/sqlite/metadata/metadata.go',
      `IDColumn = DefaultColumn + "->'$._id'"`,
      'IDColumn = DefaultColumn + `->"_id"`',
    ],
    [
      QUERIES,
      'rows, err := db.QueryContext(ctx, q, args...)',
      `rows, err := db.QueryContext(ctx, q, args...)
	if err != nil && strings.Contains(err.Error(), "no such table") {
		return &backends.QueryResult{Iter: newQueryIterator(ctx, nil, params.OnlyRecordIDs)}, nil
	}`,
    ],
    [QUERIES, 'if params.Filter.Len() == 1 {', 'if params.Filter.Len() > 0 {'],
    [
      QUERIES,
      'switch v.(type) {',
      `switch v := v.(type) {
		case *types.Document:
			listed, _ := v.Get("$in")
			if list, ok := listed.(*types.Array); ok && list.Len() > 0 {
				marks := make([]string, list.Len())
				for i := range marks {
					marks[i] = "?"
					args = append(args, string(must.NotFail(sjson.MarshalSingleValue(must.NotFail(list.Get(i))))))
				}
				whereClause = fmt.Sprintf(" WHERE %s IN (%s)", metadata.IDColumn, strings.Join(marks, ", "))
			}`,
    ],
  ],
};

/**
 * FerretDB 1.24 on SQLite: a server with MongoDB's protocol, and does one write at a time. Listens on a free
 * port.
 */
export const startFerretDb = async (folder: string, say: Say): Promise<Engine> => {
  const program = await build('ferretdb', '.', say, AS_MONGODB);
  const data = join(folder, 'documents');
  await mkdir(data);
  const server = start(program, [data]);
  const { hostname, port } = new URL(await server.firstLine);
  const gate = await writesInTurn({ host: hostname, port: Number(port) });
  say(`FerretDB answers at ${gate.address}`);
  const close = async (): Promise<void> => {
    await gate.close();
    await server.stop();
  };
  return { settings: { MONGODB_URL: `mongodb://${gate.address}/intake` }, close };
};

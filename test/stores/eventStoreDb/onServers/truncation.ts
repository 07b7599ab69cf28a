import * as assert from 'uvu/assert';
import { collect, failure, newCategory, numbered } from '../../../contract/events/controls.ts';
import { type Place, serverSuite } from './server.ts';

// Rights that whoever runs the tests keeps all the same.
const KEPT = '{"$maxAge":86400,"$acl":{"$r":"$all","$d":["ops"]},"custom":{"of":[1,null]}}';

/** Truncating a stream whose metadata others set, on any server. */
export const truncationOn = (where: string, place: () => Promise<Place>): void => {
  const { test, opened } = serverSuite(`EventStoreDB driver, ${where}: truncating`, place);

  /**
   * A stream of four events, with such metadata, set as the server's pages and its clients do: without
   * metadata of their own.
   */
  const streamWith = async (body: string): Promise<string> => {
    const stream = `${newCategory()}1`;
    await opened().store.append(stream, 'none', numbered(4));
    await opened().append(`$$${stream}`, [body], '$metadata');
    return stream;
  };
  const bodies = async (stream: string): Promise<readonly string[]> =>
    (await opened().read(`$$${stream}`)).map(({ data }) => data);
  const revisions = async (stream: string): Promise<readonly number[]> =>
    (await collect(opened().store.read(stream))).map(({ revision }) => revision);

  test('what they say beside stays, and what is given up already is not taken back', async () => {
    const { store } = opened();
    const stream = await streamWith(KEPT);
    await store.truncate(stream, 2);
    await store.truncate(stream, 1);
    assert.equal(await bodies(stream), [KEPT, `${KEPT.slice(0, -1)},"$tb":2}`]);
    assert.equal(await revisions(stream), [2, 3]);
  });

  test('an empty body is no metadata', async () => {
    const stream = await streamWith('');
    await opened().store.truncate(stream, 2);
    assert.equal(await bodies(stream), ['', '{"$tb":2}']);
    assert.equal(await revisions(stream), [2, 3]);
  });

  for (const body of [
    '$maxAge=5',
    '[]',
    'null',
    '"text"',
    '7',
    ' ',
    '{"of":9007199254740993}',
    '{"of":[1e999]}',
  ])
    test(`of what is no JSON object that can be kept (${body}) nothing is lost: it is refused by the stream's name`, async () => {
      const stream = await streamWith(body);
      const { name, message } = await failure(opened().store.truncate(stream, 2));
      assert.equal([name, message.includes(` ${stream} `)], ['Error', true], message);
      assert.equal(await bodies(stream), [body]);
    });
};

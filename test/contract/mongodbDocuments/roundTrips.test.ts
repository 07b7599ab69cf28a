import * as assert from 'uvu/assert';
import { LeaseLost } from '../../../kernel/errors.ts';
import type { DocumentStore } from '../../../stores/documents/port.ts';
import { suite } from '../../harness.ts';
import { fence, fresh, position, write } from '../documents/stage.ts';
import { onServer, ownDatabase } from './server.ts';

const NAME = 'documents in MongoDB: how many commands it takes';

onServer(NAME, () => {
  const test = suite(NAME);
  const seen: Readonly<{ command: string; message: Buffer }>[] = [];
  let database: Awaited<ReturnType<typeof ownDatabase>>;
  let store: DocumentStore;
  /** The commands since the last time that are about something, by name. */
  const about = (text: string): readonly string[] =>
    seen
      .splice(0)
      .filter(({ message }) => message.includes(text))
      .map(({ command }) => command);

  test.before(async () => {
    database = await ownDatabase(undefined, async (command, message) => {
      seen.push({ command, message });
      return 'pass';
    });
    store = database.open();
  });
  test.after(async () => {
    await store?.close();
    await database?.end();
  });

  test('a new document is inserted, one that its writer has read is replaced, each by one command', async () => {
    const { models } = store;
    const [name, held] = [fresh('known'), await fence(store)];
    await models.commit([write(name, 'x', 1, { v: 1 })], {}, held);
    assert.equal(about(name), ['insert']);
    await models.stored(name, ['another']);
    about(name);
    const before = { id: 'x', position: position(1), document: { v: 1 } };
    await models.commit([{ ...write(name, 'x', 2, { v: 2 }), before }], {}, held);
    assert.equal(about(name), ['update'], 'whatever was read since');
    assert.equal(await models.get(name, 'x'), { v: 2 });
  });

  test('checkpoints that move together without documents share a command; a stale lease keeps back its own alone', async () => {
    const { models, leases } = store;
    const held = [await fence(store), await fence(store), await fence(store)] as const;
    const shared = fresh('together');
    const names = [`${shared}a`, `${shared}b`, `${shared}c`];
    const move = (n: number) =>
      Promise.allSettled(
        held.map((each, at) => models.commit([], { [names[at] as string]: position(n) }, each)),
      );
    about(shared);
    const first = await move(1);
    assert.ok(first.every(({ status }) => status === 'fulfilled'));
    assert.equal(about(`checkpoints.${shared}`), ['update']);
    await leases.release(held[1]);
    const [moved, kept, also] = await move(2);
    assert.equal([moved?.status, also?.status], ['fulfilled', 'fulfilled']);
    assert.instance((kept as PromiseRejectedResult).reason, LeaseLost);
    assert.equal(await models.checkpoints(names), [position(2), position(1), position(2)]);
  });
});

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../kernel/clock.ts';
import { StoreDamaged } from '../../kernel/errors.ts';
import { sqliteDocumentStore } from '../../stores/documents/sqlite.ts';
import { sqliteEventStore } from '../../stores/events/sqlite.ts';
import { openDatabase } from '../../stores/sqlite/database.ts';
import { failure, fence, write } from '../contract/documents/stage.ts';
import { storedEvent } from '../contract/events/controls.ts';
import { drawSeed, rounds, suite } from '../harness.ts';
import { seeded } from '../nodes/random.ts';
import type { Outcome } from './damage.process.ts';

const test = suite('damaged files [operations-7]');
const FILES = ['log.db', 'models.db', 'tables.db', 'keys.db'];
const PLACES = rounds(10, 200);
const DAMAGED_BYTES = 5_000;
/** Each place takes a copy of the folder, and the start of its stores' threads. */
const TIME = { timeoutMs: 5_000 + PLACES * 1_500 };

const folder = mkdtempSync(join(tmpdir(), 'intake-damage-'));
const sound = join(folder, 'sound');
const random = seeded(drawSeed('damaged files'));
let child: ChildProcess;
let whole: Outcome;

test.before(async () => {
  await fill();
  child = start();
  whole = await outcomeOf('whole', () => undefined);
});

test.after(() => {
  child.kill();
  rmSync(folder, { recursive: true });
});

const fill = async (): Promise<void> => {
  const documents = sqliteDocumentStore({ folder: sound, clock: systemClock });
  const log = sqliteEventStore({ path: join(sound, 'log.db') });
  const filler = 'é 😀 plain '.repeat(60);
  for (let n = 0; n < 400; n += 1) {
    const expected = n < 20 ? 'none' : Math.floor(n / 20) - 1;
    await log.append(`damage-${n % 20}`, expected, [storedEvent({ n, filler })]);
  }
  const all = Array.from({ length: 400 }, (_, n) =>
    write('damaged', `d${n}`, n, { id: `d${n}`, n, filler, lane: `l${n % 7}`, dueAt: `2020-01-01T${n}` }),
  );
  await documents.models.ensure('damaged', [{ name: 'n', sort: [{ path: 'n', direction: 'ascending' }] }]);
  await documents.models.commit(all, {}, await fence(documents));
  for (const table of ['damaged', 'subjectKeys'])
    for (let n = 0; n < 400; n += 1) await documents.tables.insert(table, `r${n}`, { n, filler });
  await log.close();
  await documents.close();
};

const start = (): ChildProcess => {
  const process = fork(new URL('./damage.process.js', import.meta.url));
  process.once('exit', (code, signal) => ended(`the process ended with ${signal ?? code}`));
  return process;
};

let ended: (how: string) => void = () => undefined;
let copies = 0;
/** What becomes of a copy of the sound folder that `harm` was done to. */
const outcomeOf = async (what: string, harm: (copy: string) => void, inspects = true): Promise<Outcome> => {
  const copy = join(folder, String(++copies));
  cpSync(sound, copy, { recursive: true });
  harm(copy);
  const broken = new Promise<never>((_resolve, reject) => {
    ended = (how) => reject(new Error(`${what}: ${how}`));
  });
  child.send({ folder: copy, inspects });
  const [outcome] = await Promise.race([once(child, 'message'), broken]);
  rmSync(copy, { recursive: true });
  return outcome;
};

const overwrite = (path: string, at: number): void => {
  const file = openSync(path, 'r+');
  const bytes = Uint8Array.from({ length: DAMAGED_BYTES }, () => Math.floor(random.next() * 256));
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
};

for (const name of FILES) {
  test(
    `a page of ${name} overwritten is named with its remedy, or changes nothing; nothing is written then`,
    async () => {
      for (let place = 0; place < PLACES; place += 1) {
        const at = Math.floor(random.next() * (statSync(join(sound, name)).size - DAMAGED_BYTES));
        const what = `${name} at ${at}`;
        const { read, wrote } = await outcomeOf(what, (copy) => overwrite(join(copy, name), at));
        if (read === whole.read) continue;
        const remedy =
          name === 'models.db' ? /rm -f '.*models\.db' / : /restore the data folder from a backup/;
        assert.match(read, new RegExp(`/${name} is damaged \\(`), what);
        assert.match(read, remedy, what);
        assert.match(wrote, `/${name} is damaged (`, what);
      }
    },
    TIME,
  );

  test(
    `what meets a damaged page of ${name} that was not looked for ends no process`,
    async () => {
      for (let place = 0; place < PLACES; place += 1) {
        const at = Math.floor(random.next() * (statSync(join(sound, name)).size - DAMAGED_BYTES));
        await outcomeOf(`${name} at ${at}`, (copy) => overwrite(join(copy, name), at), false);
      }
    },
    TIME,
  );
}

for (const list of ['collections', 'columns'])
  test(`a table that the list of ${list} has lost is damage, and nothing is written`, async () => {
    const copy = join(folder, `without-${list}`);
    cpSync(sound, copy, { recursive: true });
    const path = join(copy, 'models.db');
    const models = openDatabase(path, { synchronous: 'NORMAL' });
    models.exec(`DELETE FROM ${list}`);
    models.close();
    const documents = sqliteDocumentStore({ folder: copy, clock: systemClock });
    const said = /models\.db is damaged \(its list of columns lacks one of the collection “damaged”\)/;
    const sort = [{ path: 'n', direction: 'ascending' }] as const;
    const error = await failure(documents.models.ensure('damaged', [{ name: 'n', sort }]));
    assert.instance(error, StoreDamaged);
    assert.match(error.message, said);
    await documents.close();
  });

test('text that is no UTF-8 is damage in every column', async () => {
  assert.match(whole.wrote, /^stored\nstored$/);
  const { read } = await outcomeOf('text', (copy) => replaceText(join(copy, 'log.db')));
  assert.match(read, /log\.db is damaged \(it holds text that is no UTF-8\)/);
});

/** Spoils letters within the text of events: no structure of the file is touched. */
const replaceText = (path: string): void => {
  const file = openSync(path, 'r+');
  const bytes = readFileSync(path);
  for (let at = bytes.indexOf('plain'); at >= 0; at = bytes.indexOf('plain', at + 1))
    writeSync(file, Uint8Array.of(0xff), 0, 1, at);
  closeSync(file);
};

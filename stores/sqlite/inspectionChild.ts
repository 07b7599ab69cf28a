import { setPriority } from 'node:os';
import { StoreDamaged } from '../../kernel/errors.ts';
import { openDatabase } from './database.ts';
import { type Inspected, QUICK_CHECK } from './inspection.ts';

// Run by inspection.ts, with the path of a file: sends what is wrong with it.

/** A `nice` value: the service itself comes first. */
const LOW_PRIORITY = 10;

const inspect = (path: string): Inspected => {
  try {
    const database = openDatabase(path, { synchronous: 'NORMAL' });
    const [row] = database.texts<[string]>(QUICK_CHECK)();
    database.close();
    return { found: row?.[0] ?? 'it can’t be read' };
  } catch (error) {
    if (error instanceof StoreDamaged) return { found: error.reason };
    return { failed: String(error) };
  }
};

setPriority(LOW_PRIORITY);
process.send?.(inspect(process.argv[2] ?? ''), () => process.disconnect());

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { KEY_FORM } from '../arguments.ts';
import { WrongUsage } from '../commandLine.ts';
import { CommandFailed } from '../failure.ts';

/**
 * An API key: from standard input, or typed at the terminal, which does not show it. Throws `WrongUsage`
 * where there is no terminal, and `CommandFailed` for what is no key; neither repeats what was given.
 */
export const askForKey = async (fromStdin: boolean): Promise<string> => {
  const key = (await (fromStdin ? readLine() : typed())).trim();
  if (KEY_FORM.test(key)) return key;
  throw new CommandFailed(
    'no-key',
    'This is no API key: aok_ and 64 hexadecimal digits.',
    '`intake key create` or an administrator makes one.',
  );
};

const MAX_CHARACTERS = 1_024;

const readLine = async (): Promise<string> => {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_CHARACTERS) break;
  }
  return text;
};

const typed = async (): Promise<string> => {
  if (!process.stdin.isTTY)
    throw new WrongUsage(
      'there is no terminal to ask for the key: give it on standard input, with --key-stdin.',
      'intake login',
    );
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const stopped = new AbortController();
  for (const end of ['SIGINT', 'close'] as const) terminal.once(end, () => stopped.abort());
  process.stderr.write('API key (not shown): ');
  try {
    return await terminal.question('', { signal: stopped.signal });
  } catch (error) {
    throw stopped.signal.aborted ? new CommandFailed('cancelled', 'Cancelled: nothing was stored.') : error;
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
};

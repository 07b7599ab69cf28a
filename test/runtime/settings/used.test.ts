import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { readConfig } from '../../../runtime/settings/config.ts';
import { settingNames } from '../../../runtime/settings/table.ts';
import { suite } from '../../harness.ts';

const test = suite('every setting has an effect');

/** The sources of a folder, without comments, texts, and the lines of the tables of settings. */
const codeOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|^ {2}[A-Z0-9_]+: \w+\(/gm, '');

const isNamed = (name: string, code: string): boolean => new RegExp(`\\b${name}\\b`).test(code);

test('each setting is read into the configuration', () => {
  const code = codeOf('runtime');
  assert.equal(
    settingNames.filter((name) => !isNamed(name, code)),
    [],
  );
});

test('each member of the configuration is used', () => {
  const code = `${codeOf('runtime').replace(/^ {2}\w+: (values\.|\w+Of\().*$/gm, '')}${codeOf('cli')}`;
  assert.equal(
    Object.keys(readConfig({})).filter((name) => !isNamed(name, code)),
    [],
  );
});

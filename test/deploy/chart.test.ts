import { readdirSync } from 'node:fs';
import { Ajv } from 'ajv';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { settings } from '../../runtime/settings/table.ts';
import { withChartSettings } from '../../scripts/docs/chartSettings.ts';
import { suite } from '../harness.ts';
import { textOf } from './files.ts';

const test = suite('deploy/helm');
const chart = 'deploy/helm/';
type Tree = Readonly<{ [name: string]: Tree | string | number | boolean | null }>;
const values = parse(textOf(`${chart}values.yaml`)) as Tree;
const schema = JSON.parse(textOf(`${chart}values.schema.json`)) as {
  properties: { settings: { properties: Readonly<Record<string, unknown>> } };
};
const templates = readdirSync(`${chart}templates`, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(yaml|tpl|txt)$/.test(name))
  .map((name) => ({ name, text: textOf(`${chart}templates/${name}`) }));
const examples = readdirSync(`${chart}examples`);

test('is of the service’s version', () => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  const about = parse(textOf(`${chart}Chart.yaml`)) as Readonly<Record<string, string>>;
  assert.equal([about.version, about.appVersion], [version, version]);
});

test('takes every setting that is no secret and that the image does not fix, and no other name', () => {
  const text = textOf(`${chart}values.schema.json`);
  assert.is(withChartSettings(text), text, 'npm run docs writes them');
  const taken = Object.keys(schema.properties.settings.properties);
  assert.ok(taken.includes('PUBLIC_URL') && taken.includes('S3_BUCKET'));
  for (const name of ['MASTER_KEY', 'MONGODB_URL', 'PORT', 'DATA_DIR'])
    assert.not.ok(taken.includes(name), name);
});

test('its templates name settings that there are', () => {
  const named = templates.flatMap(({ text }) =>
    [...text.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)].map(([name]) => name),
  );
  assert.ok(named.length > 3);
  for (const name of named) assert.ok(name in settings, name);
});

test('its templates read values that values.yaml has', () => {
  const paths = templates.flatMap(({ text }) =>
    [...text.matchAll(/(?:\.Values|\$values)\.([\w.]+)/g)].map(([, path = '']) => path),
  );
  assert.ok(paths.length > 30);
  for (const path of paths.filter((each) => !/^settings\.\w/.test(each))) {
    const found = path
      .split('.')
      .reduce<Tree[string] | undefined>((tree, name) => (tree as Tree)?.[name], values);
    assert.is.not(found, undefined, path);
  }
});

test('its values, and those of each example, are such as its schema takes', () => {
  const isValid = new Ajv({ strict: false, allErrors: true }).compile(schema);
  for (const file of ['values.yaml', ...examples.map((name) => `examples/${name}`)])
    assert.ok(isValid(parse(textOf(`${chart}${file}`))), `${file}: ${JSON.stringify(isValid.errors)}`);
  for (const wrong of [{ mode: 'both' }, { roles: { api: { replica: 2 } } }, { settings: { RATE_LIMIT: 5 } }])
    assert.not.ok(isValid(wrong), JSON.stringify(wrong));
});

test('a pod has the time to stop in that a node takes, after the pause before it', () => {
  const pod = templates.find(({ name }) => name === '_pod.tpl')?.text ?? '';
  const [grace, pause] = [/terminationGracePeriodSeconds: (\d+)/, /\[sleep, "(\d+)"\]/].map((form) =>
    Number(form.exec(pod)?.[1]),
  );
  assert.ok(Number(grace) >= Number(pause) + 10 + 2, `${grace} s for a pause of ${pause} s`);
});

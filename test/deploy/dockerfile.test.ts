import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DockerfileParser, type JSONInstruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import * as assert from 'uvu/assert';
import { long, suite } from '../harness.ts';
import { textOf } from './files.ts';

const test = suite('Dockerfile');
const text = textOf('Dockerfile');
const file = DockerfileParser.parse(text);
const instructions = file.getInstructions();
const starts = instructions.flatMap((one, index) => (one.getKeyword() === 'FROM' ? index : []));
const last = instructions.slice(starts.at(-1));
const all = (keyword: string, among = instructions) => among.filter((one) => one.getKeyword() === keyword);
const one = (keyword: string) => {
  const [found, ...more] = all(keyword, last);
  if (!found || more.length > 0) throw new Error(`${keyword} must stand once in the last stage`);
  return found;
};
/** The words of an instruction in exec form. */
const words = (keyword: string): readonly string[] => {
  const strings = (one(keyword) as JSONInstruction).getJSONStrings?.() ?? [];
  return strings.map((word) => JSON.parse(word.getValue()) as string);
};

test('has no fault that a parser finds', () => {
  const faults = validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`);
  assert.equal(faults, []);
  assert.is.not(validate(`${text}\nRUNN x`).length, 0);
});

test('each stage begins with the same image of Debian, pinned to a release', () => {
  const images = file.getFROMs().map((from) => from.getImage());
  assert.is(new Set(images).size, 1);
  assert.match(images[0] ?? '', /^node:\d+\.\d+\.\d+-bookworm-slim$/);
});

test('nothing is fetched but by npm ci, before the sources come and without scripts', () => {
  assert.is(all('ADD').length, 0);
  assert.not.match(text, /\b(curl|wget|npm i|npm install|apt-get)\b/);
  const [install = -1, sources = -1] = [/^RUN npm ci --ignore-scripts$/, /^COPY \. \.$/].map((form) =>
    instructions.findIndex((each) => form.test(each.getTextContent())),
  );
  assert.ok(install > 0 && sources > install);
  assert.match(text, /^RUN npm run build && /m);
});

test('the packages that run are those of the lock file, for the architecture of the image', () => {
  const [build = ''] = text.split(/^(?=FROM node)/m);
  assert.match(build, /^FROM --platform=\$BUILDPLATFORM /m);
  assert.match(
    build.trimEnd(),
    /\nARG TARGETARCH\nRUN npm ci --omit=dev --ignore-scripts --os=linux --libc=glibc --cpu=.*TARGETARCH.*$/,
  );
});

test('packages that are folders of ours are there before npm asks for them', () => {
  const packages = JSON.parse(textOf('package.json')) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  const folders = Object.values(packages.devDependencies).flatMap((version) =>
    version.startsWith('file:') ? version.slice('file:'.length) : [],
  );
  const before = instructions.slice(
    0,
    instructions.findIndex((each) => each.getTextContent().startsWith('RUN npm ci')),
  );
  const copied = all('COPY', before)
    .flatMap((copy) => copy.getArguments().slice(0, -1))
    .map((path) => path.getValue());
  for (const folder of folders)
    assert.ok(
      copied.some((path) => path === `${folder}/package.json` || folder.startsWith(`${path}/`)),
      folder,
    );
});

test('it runs as nobody special, and is started without a shell', () => {
  assert.is(one('USER').getArgumentsContent(), '1000:1000');
  const { bin } = JSON.parse(textOf('package.json')) as { bin: { intake: string } };
  assert.equal(words('ENTRYPOINT'), ['intake']);
  assert.equal(words('CMD'), ['serve']);
  assert.match(text, `ln -s /app/${bin.intake.replace('./', '')} /usr/local/bin/intake`);
});

const letThrough = textOf('.dockerignore')
  .split('\n')
  .flatMap((line) => (line.startsWith('!') ? line.slice(1) : []));

test('what it copies is there, and let through by .dockerignore', () => {
  const { include } = JSON.parse(textOf('tsconfig.json')) as { include: readonly string[] };
  const shipped = include.filter((folder) => !['test', 'bench', 'scripts'].includes(folder));
  for (const folder of shipped) assert.ok(letThrough.includes(folder), `${folder} is compiled`);
  const given = all('COPY')
    .filter((copy) => !copy.getTextContent().includes('--from='))
    .flatMap((copy) => copy.getArguments().slice(0, -1))
    .map((argument) => argument.getValue());
  for (const path of given.filter((each) => each !== '.')) {
    assert.ok(existsSync(path), path);
    assert.ok(
      letThrough.some((each) => path === each || path.startsWith(`${each}/`)),
      path,
    );
  }
});

const compiles = 'what .dockerignore lets through compiles without the rest';
const compile = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-test-'));
  for (const path of letThrough) if (existsSync(path)) cpSync(path, join(folder, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const { status, stdout } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.is(status, 0, stdout);
  assert.ok(existsSync(join(folder, 'dist/cli/intake.js')));
  rmSync(folder, { recursive: true });
};
if (long) test(compiles, compile, { timeoutMs: 300_000 });
else test.skip(compiles, 'it takes half a minute: npm run test:all does it');

/** Runs the health check's command, with an API that answers `status`, or with none. */
const health = async (status: number | null): Promise<number> => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/health/live' ? (status ?? 500) : 404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  if (status === null) server.close();
  const command = /CMD (\[.*\])$/s.exec(one('HEALTHCHECK').getTextContent())?.[1] ?? '[]';
  const [program = '', ...rest] = JSON.parse(command) as string[];
  assert.is(program, 'node');
  const child = spawn(process.execPath, rest, { env: { PORT: String(port) } });
  const [code] = (await once(child, 'exit')) as [number];
  server.close();
  return code;
};

test('its health check tells a node that lives from one that does not', async () => {
  assert.is(await health(200), 0);
  assert.is(await health(503), 1);
  assert.is(await health(null), 1);
});

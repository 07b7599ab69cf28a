import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runIntake } from '../../../test/support/commandLine.ts';
import type { Settings } from '../../demo/intake.ts';
import { type Finds, inFolder, lookInto, lookIntoFolder, lookIntoPackage } from './look.ts';
import type { Planted } from './planted.ts';
import type { Caller } from './subjects.ts';

/** What parameters of paths are asked for, one set for each submission, delivery, file and so on. */
export type Parameters = Readonly<Record<string, readonly string[]>>;

/** Paths that need what nothing of a submission has, or answer with a stream of pages of the service. */
const OTHERS = /^\/(docs|problems|console|api\/(auth|invitation))\b|\/tasks\/|^\/openapi/;

type Document = Readonly<{ paths: Readonly<Record<string, Readonly<{ get?: unknown }>>> }>;

/**
 * Every GET that the document of the service names, by each caller, with each parameter that is there, and
 * the metrics. Gives those that nobody is answered.
 */
export const lookIntoAnswers = async (
  finds: Finds,
  callers: readonly Caller[],
  parameters: Parameters,
  planted: readonly Planted[],
  folder: string,
): Promise<readonly string[]> => {
  const [first] = callers;
  const silent = new Set<string>();
  const document: Document = JSON.parse(`${(await first?.ask('GET', '/openapi.json'))?.bytes}`);
  const templates = Object.entries(document.paths).flatMap(([path, { get }]) => (get ? [path] : []));
  for (const template of [...templates.filter((path) => !OTHERS.test(path)), '/metrics']) {
    silent.add(template);
    for (const path of filled(template, parameters))
      for (const caller of callers) {
        const { status, bytes, headers } = await caller.ask('GET', path);
        if (status === 200) silent.delete(template);
        if (template.endsWith('/evidence') && headers['content-type'] === 'application/zip')
          await lookIntoZip(finds, `GET ${template}`, bytes, planted, folder);
        else lookInto(finds, `GET ${template}`, unasked(path, headers, bytes), planted);
      }
  }
  return [...silent];
};

/** An answer with its headers, without what was asked for: who has a name may hear it again. */
const unasked = (path: string, headers: object, bytes: Buffer): Buffer => {
  const text = `${JSON.stringify(headers)}${bytes.toString('latin1')}`;
  return Buffer.from(text.replaceAll(path.split('/').at(-1) ?? path, ''), 'latin1');
};

const lookIntoZip = (
  finds: Finds,
  title: string,
  bytes: Buffer,
  planted: readonly Planted[],
  within: string,
): Promise<void> =>
  inFolder(within, async (folder) => {
    const path = join(folder, 'evidence.zip');
    writeFileSync(path, bytes);
    await lookIntoPackage(finds, title, path, planted);
  });

const filled = (template: string, parameters: Parameters): readonly string[] => {
  const name = /\{(\w+)\}/.exec(template)?.[1];
  if (name === undefined) return [template];
  return (parameters[name] ?? []).flatMap((value) => {
    // A file belongs to its submission: `submission/file`.
    const [own = '', rest] = value.split('/');
    if (rest === undefined) return filled(template.replace(`{${name}}`, encodeURIComponent(own)), parameters);
    if (!template.includes(own)) return [];
    return filled(template.replace(`{${name}}`, encodeURIComponent(rest)), parameters);
  });
};

/** What the command line says and exports of submissions and deliveries. */
export const lookIntoCommands = async (
  finds: Finds,
  settings: Settings,
  { submissionId: submissions = [], deliveryId: deliveries = [] }: Parameters,
  planted: readonly Planted[],
  within: string,
): Promise<void> => {
  const run = async (place: string, ...words: readonly string[]): Promise<void> => {
    const { code, stdout, stderr } = await runIntake(settings, ...words);
    if (code !== 0) throw new Error(`intake ${words.join(' ')}: ${stderr}`);
    lookInto(finds, place, Buffer.from(stdout + stderr), planted);
  };
  await run('intake webhooks list', 'webhooks', 'list', '--json');
  for (const id of deliveries) await run('intake webhooks show', 'webhooks', 'show', id, '--json');
  for (const id of submissions) {
    await run('intake audit', 'audit', id);
    await run('intake audit --json', 'audit', id, '--json');
  }
  await inFolder(within, async (folder) => {
    for (const id of submissions) {
      await run('intake audit export', 'audit', 'export', id, '--out', join(folder, id));
      lookIntoFolder(finds, 'evidence package', join(folder, id), planted);
    }
  });
};

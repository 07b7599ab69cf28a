import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { failure } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';
import { openCoreOf } from '../support/core.ts';
import { type Kms, refusal, startKms } from '../support/kms.ts';
import { startServerProcess } from '../support/process.ts';
import { testSettings } from '../support/service.ts';

const test = suite('wrapping keys in AWS KMS [sealing-4]');
const KEY = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd';
const ID = 'AKIDEXAMPLE';
type Settings = Readonly<Record<string, string>>;

const inFolder = (body: (folder: string, settings: Settings, kms: Kms) => Promise<void>) => async () => {
  const kms = await startKms(KEY, ID);
  const folder = mkdtempSync(join(tmpdir(), 'intake-kms-'));
  const aws = { AWS_ACCESS_KEY_ID: ID, AWS_SECRET_ACCESS_KEY: 'secret' };
  const settings = testSettings(folder, { KMS_KEY: KEY, KMS_ENDPOINT: kms.url, ...aws });
  try {
    await body(folder, settings, kms);
  } finally {
    await kms.close();
    rmSync(folder, { recursive: true });
  }
};

/** Seals and opens, in a process of its own as far as stores know; gives the name of an e-mail. */
const use = async (settings: Settings): Promise<string> => {
  const core = await openCoreOf(settings);
  try {
    const id = `end_${Math.random()}`;
    const secret = await core.endpointSecrets.renew(id, '2026', '2026');
    assert.equal(await core.endpointSecrets.validAt(id, '2026'), [secret]);
    return core.nameOf('email', 'a');
  } finally {
    await core.close();
  }
};

test(
  'no key is on the disk, and KMS is called for each wrapping key once a start',
  inFolder(async (folder, settings, kms) => {
    const name = await use(settings);
    assert.not.ok(existsSync(join(folder, 'master.key')));
    const made = kms.calls.length;
    assert.is(await use(settings), name);
    assert.equal(kms.calls.slice(made).sort(), [
      'TrentService.Decrypt wrapping key 1',
      'TrentService.Decrypt wrapping key naming',
    ]);
    const { KMS_KEY: _key, KMS_ENDPOINT: _endpoint, ...without } = settings;
    assert.match((await failure(use(without))).message, /KMS_KEY|master\.key is missing/);
  }),
);

test(
  'a folder with a master key moves to KMS by a rotation, which removes it',
  inFolder(async (folder, settings) => {
    const { KMS_KEY: _key, KMS_ENDPOINT: _endpoint, ...before } = settings;
    const name = await use(before);
    assert.is(await use(settings), name);
    assert.ok(existsSync(join(folder, 'master.key')));
    const core = await openCoreOf(settings);
    await core.rotateKeys(new AbortController().signal, () => undefined).finally(core.close);
    assert.not.ok(existsSync(join(folder, 'master.key')));
    assert.is(await use(settings), name);
  }),
);

test(
  'a KMS that is unavailable at the start is waited for, one that refuses is named',
  inFolder(async (_folder, settings, kms) => {
    await use(settings);
    kms.fail(refusal('KMSInternalException', 500));
    const server = await startServerProcess({ ...settings, LOG_LEVEL: 'info' });
    const isReady = async () => (await fetch(`${server.healthUrl}/health/ready`)).status === 200;
    try {
      assert.is(await isReady(), false);
      kms.fail(null);
      await eventually('the start', isReady, 30_000);
    } finally {
      await server.stop();
    }
    kms.fail(refusal('AccessDeniedException'));
    assert.match(
      (await failure(use(settings))).message,
      /AWS KMS refuses to use arn:.*AccessDeniedException/,
    );
  }),
);

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { ZipFile } from 'yazl';
import { submissionStream } from '../../domain/submission/submission.ts';
import { signingKey } from '../../evidence/keys.ts';
import { openPackage } from '../../evidence/package/open.ts';
import { sealedLog } from '../../stores/events/codec.ts';
import { examples, idOf, timeOf } from '../controls/events.ts';
import { created, routing } from '../controls/submission.ts';
import { signedAnew } from '../evidence/forge.ts';
import { decided, exportStage, key, objects } from '../evidence/stage.ts';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { accessible, browserSuite } from './browser.ts';
import { hostile } from './hostilePlants.ts';
import { plantFaults, watchPlants } from './hostileWalk.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: evidence verified in the browser');
const folder = mkdtempSync(join(tmpdir(), 'intake-verify-'));
let world: World;
/** A package of a submission that a person approved, its files, the public key, and who approved. */
let exported: Awaited<ReturnType<typeof exportOne>>;
test.before(async () => {
  world = await startWorld();
  exported = await exportOne();
});
test.after(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

const exportOne = async () => {
  const { service, people } = world;
  const { id, api } = await service.company({ ...receiptDefinition, processing: { review: 'always' } });
  const { submissionId } = await api.process([receiptText()]);
  const { email, userId } = await people.user(id, 'org_admin');
  const { token } = (await people.logIn(email)).body;
  const headers = { authorization: `Bearer ${token}` };
  const path = `${service.url}/api/v1/submissions/${submissionId}`;
  const approval = { corrections: { total: 7 }, comment: 'as on the phone' };
  const approved = await fetch(`${path}/approve`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(approval),
  });
  assert.is(approved.status, 200, await approved.text());
  const bytes = Buffer.from(await (await fetch(`${path}/evidence`, { headers })).arrayBuffer());
  const { publicKey } = (await people.anybody.get('/api/v1/evidence-key')).body;
  return { bytes, files: await filesIn(bytes), publicKey: publicKey as string, userId };
};

const filesIn = async (zip: Buffer): Promise<ReadonlyMap<string, Buffer>> => {
  const path = join(folder, 'package.zip');
  writeFileSync(path, zip);
  const source = await openPackage(path);
  const files = new Map<string, Buffer>();
  for (const entry of source.entries) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of source.read(entry.path)) chunks.push(chunk);
    files.set(entry.path, Buffer.concat(chunks));
  }
  await source.close();
  return files;
};

const zipOf = (files: ReadonlyMap<string, Buffer>): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [name, bytes] of files) zip.addBuffer(bytes, name);
  zip.end();
  return buffer(zip.outputStream);
};

/** The package with a file that says something else. */
const changed = (path: string, from: string, to: string): Promise<Buffer> => {
  const text = exported.files.get(path)?.toString().replace(from, to) ?? '';
  return zipOf(new Map([...exported.files, [path, Buffer.from(text)]]));
};

/** A package, signed by who made it up, each of whose texts is markup. */
const hostilePackage = async (): Promise<ReadonlyMap<string, Buffer>> => {
  const { SubmissionApproved: approved } = examples;
  const { data } = created;
  const fileNames = { [data.slots[0]?.fileId ?? '']: hostile('file') };
  const correction = { field: hostile('field'), machineValue: hostile('read'), humanValue: hostile('typed') };
  const stage = await exportStage([
    {
      ...created,
      data: {
        ...data,
        workflow: { ...data.workflow, name: hostile('workflow') },
        private: { ...data.private, fileNames, clientSubmissionId: hostile('identifier') },
      },
    },
    ...decided.slice(1, -1),
    {
      ...approved,
      data: {
        ...approved.data,
        private: { comment: hostile('comment'), actor: hostile('actor'), corrections: [correction] },
      },
    },
  ]);
  const name = submissionStream(routing.submissionId);
  const { head } = await stage.log.load(name);
  const actor = { kind: 'system', id: 'later' } as const;
  const metadata = { schema: 1, at: timeOf(9), $correlationId: 'c', $causationId: 'c', actor };
  const unknown = { type: hostile('Type'), data: { note: hostile('data') }, id: idOf(99), metadata };
  await sealedLog(stage.events, stage.keys).append(name, head, [unknown], () => null);
  await stage.exportTo('hostile', { service: hostile('service').slice(0, 100) });
  const files = stage.filesOf('hostile');
  await stage.remove();
  return files;
};

const choose = (page: Page, bytes: Buffer, name = 'case.zip') =>
  page.getByLabel('Package').setInputFiles({ name, mimeType: 'application/zip', buffer: bytes });

const opened = async () => {
  const context = await world.browser.context();
  const page = await context.newPage();
  await page.goto('/console/verify');
  await page.getByRole('heading', { name: 'Verify evidence' }).waitFor();
  return { page, context };
};

test('a package holds, without a log-in and without a network, and says who decided what', async () => {
  const { page, context } = await opened();
  await page.getByLabel('Public key').fill('no key');
  await page.getByText('This is no Ed25519 public key').waitFor();
  await page.getByRole('button', { name: 'Take the key of this service' }).click();
  await page.getByText(/Its identifier is [0-9a-f]{16}/).waitFor();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await context.setOffline(true);
  await choose(page, exported.bytes);
  await page.getByText('case.zip holds.').waitFor();
  assert.is(await page.getByText('Holds', { exact: true }).count(), 4);
  const approval = page.getByRole('row', { name: /Approved/ });
  await approval.getByText(`user:${exported.userId}`).waitFor();
  await approval.getByText('as on the phone').waitFor();
  await approval.getByText(/^total: 7 instead of/).waitFor();
  assert.equal(requests, []);
  await context.setOffline(false);
  await accessible(page, 'verify');
  await page.reload();
  assert.match(await page.getByLabel('Public key').inputValue(), /BEGIN PUBLIC KEY/);
  await page.getByRole('button', { name: 'Forget this key' }).click();
  await page.reload();
  assert.is(await page.getByLabel('Public key').inputValue(), '');
  await page.getByRole('link', { name: 'To the console' }).click();
  await page.getByLabel('E-mail').waitFor();
});

const UNSIGNED = ['As the list says, which is not signed', 3] as const;

test('what was changed does not hold: its step says so, and nothing in it is shown', async () => {
  const { page } = await opened();
  await choose(page, exported.bytes);
  await page.getByText('The public key is needed, too.').waitFor();
  await page.getByLabel('Public key').fill(exported.publicKey);
  await page.getByText('case.zip holds.').waitFor();
  const cases = [
    ['decisions.json', 'as on the phone', 'as by letter', 'Documents', '/0/comment', ['Holds', 3]],
    [
      'events.jsonl',
      '"kind":"user"',
      '"kind":"key"',
      'Events',
      'its stored form was changed',
      ['Not checked', 1],
    ],
    ['README.txt', 'Evidence', 'evidence', 'Files', 'its bytes were changed', ['Holds', 3]],
    [
      'manifest.json',
      '"version": 2',
      '"version": 2 ',
      'Signature',
      'manifest.sig does not sign it',
      UNSIGNED,
    ],
    ['manifest.json', '{', '[', 'Signature', 'is no manifest', ['Not checked', 3]],
  ] as const;
  for (const [path, from, to, step, says, [others, count]] of cases) {
    await choose(page, await changed(path, from, to), `${path}.zip`);
    await page
      .getByRole('alert')
      .filter({ hasText: `${path}.zip does not hold` })
      .waitFor();
    const item = page
      .getByRole('listitem')
      .filter({ hasText: `${step}.` })
      .filter({ hasText: 'Does not hold' });
    await item.first().getByText(says).first().waitFor();
    assert.is(await page.getByRole('row').count(), 0, path);
    assert.is(await page.getByText(others, { exact: true }).count(), count, path);
    assert.is(await page.locator('[aria-live], [role=alert]').getByRole('listitem').count(), 0, path);
  }
  await accessible(page, 'verify-changed');
  await page.getByLabel('Public key').fill(signingKey(Buffer.alloc(32, 9)).publicKey.pem);
  await choose(page, exported.bytes, 'other-key.zip');
  await page.getByText('other-key.zip does not hold').waitFor();
  await choose(page, Buffer.from('no zip'), 'letter.zip');
  await page.getByText('letter.zip is no package that can be checked').waitFor();
  await choose(page, Buffer.from('no zip'), 'letter\u202epiz.zip');
  await page.getByText('letter\\u202epiz.zip is no package').waitFor();
});

test('what does not hold is said in the language of the page, and what names it stays as it is', async () => {
  const context = await world.browser.context({ locale: 'de-DE' });
  const page = await context.newPage();
  await page.goto('/console/verify');
  await page.getByLabel('Öffentlicher Schlüssel').fill(exported.publicKey);
  const chosen = async (bytes: Buffer): Promise<void> =>
    page.getByLabel('Paket').setInputFiles({ name: 'case.zip', mimeType: 'application/zip', buffer: bytes });
  await chosen(await changed('events.jsonl', '"kind":"user"', '"kind":"key"'));
  await page.getByText(/^events\.jsonl, Ereignis \d+ \(.*: die gespeicherte Form wurde geändert$/).waitFor();
  await chosen(await changed('decisions.json', 'as on the phone', 'as by letter'));
  const differs = 'ist "as by letter", aus Ereignissen und Dateien folgt aber "as on the phone"';
  await page.getByText(differs).waitFor();
  await chosen(await changed('manifest.json', '{', '['));
  await page.getByText('manifest.json: ist keine Liste einer bekannten Version: es ist kein JSON').waitFor();
});

test('evidence of a redacted submission holds, and says what is missing and why [certificate-5]', async () => {
  const stage = await exportStage();
  await stage.redact();
  await stage.exportTo('redacted', { files: objects(null) });
  const files = stage.filesOf('redacted');
  await stage.remove();
  const { page } = await opened();
  await page.getByLabel('Public key').fill(key.publicKey.pem);
  await choose(page, await zipOf(files), 'redacted.zip');
  await page.getByText('redacted.zip holds.').waitFor();
  await page.getByText('A redaction removed this').waitFor();
  const why = /: redacted at 20\S+Z, legal basis erasure_request$/;
  const lost = page.getByRole('listitem').filter({ hasText: why });
  await lost.filter({ hasText: /^files\/0-fil_\w+\.\w+: the file is not here/ }).waitFor();
  await lost.filter({ hasText: /SessionCreated.*nobody can read webhookUrl, clientSubmissionId/ }).waitFor();
  assert.is(await page.getByText('was missing in the store').count(), 0);
  await accessible(page, 'verify-redacted');
});

test('a certificate is shown and saved where the redaction was, and says the same in the browser [certificate-7]', async () => {
  const { service, pageOf } = world;
  const { id, api } = await service.company();
  const { submissionId } = await api.process([receiptText()]);
  const address = `/console/submissions/${submissionId}`;
  const path = `/api/v1/submissions/${submissionId}`;
  const { page } = await pageOf(id, 'auditor', address);
  await page.getByRole('button', { name: 'Export the evidence' }).waitFor();
  const offer = page.getByRole('button', { name: 'Certificate of the redaction' });
  assert.is(await offer.count(), 0);
  const basis = { reason: 'article 17 <b>', legalBasis: 'erasure_request', requestedBy: 'ticket 4711' };
  assert.is((await api.post(`${path}/redact`, basis)).status, 202);
  await eventually('the redaction', async () => (await api.get(path)).body.redaction === 'done');
  await page.reload();
  await offer.click();
  const dialog = page.getByRole('dialog');
  for (const said of [
    'Request of erasure',
    'article 17 <b>',
    'ticket 4711',
    'Files in the object storage: 1',
  ])
    await dialog.getByText(said).waitFor();
  await accessible(page, 'certificate');
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save the signed file' }).click();
  const file = await saved;
  assert.is(file.suggestedFilename(), `redaction-${submissionId}.json`);
  const text = readFileSync(await file.path(), 'utf8');
  await page.goto('/console/verify');
  await page.getByRole('button', { name: 'Take the key of this service' }).click();
  await choose(page, Buffer.from(text), 'certificate.json');
  await page.getByText('certificate.json holds.').waitFor();
  for (const said of ['Request of erasure', 'article 17 <b>', 'Files in the object storage: 1', submissionId])
    await page.getByText(said, { exact: true }).waitFor();
  await page.getByText('that no other submission says something of the same person.').waitFor();
  await accessible(page, 'verify-certificate');
  await choose(page, Buffer.from(text.replace('ticket 4711', 'ticket 4712')), 'changed.json');
  await page.getByText('changed.json does not hold.').waitFor();
  await page.getByText(/its signature is not that of the key/).waitFor();
  assert.is(await page.getByText('ticket 4712').count(), 0);
});

test('no text of a package that its maker signed becomes markup, or asks for anything', async () => {
  const files = await hostilePackage();
  const { page, context } = await opened();
  await watchPlants(context);
  await page.reload();
  await page.getByLabel('Public key').fill(key.publicKey.pem);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const name = `${hostile('package').replaceAll('/', '')}.zip`;
  await choose(page, await zipOf(files), name);
  await page.getByText(`${name} holds.`).waitFor();
  const shown = String(await page.locator('main').textContent());
  for (const plant of ['service', 'comment', 'actor', 'field', 'read', 'typed', 'type'])
    assert.ok(shown.includes(hostile(plant).slice(0, 20)), plant);
  assert.equal(await plantFaults(page), []);
  // What doesn't hold says where, in the words of the package.
  const added = await zipOf(new Map([...files, [hostile('added'), Buffer.from('x')]]));
  await choose(page, added, 'added.zip');
  await page.getByText(/^added.zip (does not hold|is no package)/).waitFor();
  const listed = await zipOf(signedAnew(files, (given) => ({ ...given, exportedAt: hostile('time') }), key));
  await choose(page, listed, 'listed.zip');
  await page.getByText(/^listed.zip (does not hold|is no package)/).waitFor();
  assert.equal(await plantFaults(page), []);
  assert.equal(requests, []);
});

test('a package can be dropped, and the page is used by key alone', async () => {
  const { page } = await opened();
  await page.getByRole('link', { name: 'To the console' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.insertText(exported.publicKey);
  await page.getByText(/Its identifier is/).waitFor();
  await page.evaluate(
    `(async () => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(exported.bytes.toString('base64'))}), (c) => c.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], 'dropped.zip'));
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    })()`,
  );
  await page.getByText('dropped.zip holds.').waitFor();
  await page.getByLabel('Public key').focus();
  for (let tabs = 0; tabs < 3; tabs += 1) await page.keyboard.press('Tab');
  assert.is(await page.evaluate('document.activeElement.type'), 'file');
});

test('a browser that knows no such signatures is told to be too old', async () => {
  const context = await world.browser.context();
  await context.addInitScript(
    "if (globalThis.SubtleCrypto) SubtleCrypto.prototype.importKey = () => Promise.reject(new DOMException('no', 'NotSupportedError'));",
  );
  const page = await context.newPage();
  await page.goto('/console/verify');
  await page.getByRole('alert').filter({ hasText: 'This browser can’t check signatures' }).waitFor();
  assert.is(await page.getByLabel('Package').count(), 0);
});

test('a browser that keeps nothing verifies, and one whose check breaks off says why', async () => {
  const context = await world.browser.context();
  await context.addInitScript(
    "Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('denied', 'SecurityError'); } });",
  );
  const page = await context.newPage();
  await page.goto('/console/verify');
  await page.getByLabel('Public key').fill(exported.publicKey);
  await choose(page, exported.bytes);
  await page.getByText('case.zip holds.').waitFor();
  await page.evaluate("Blob.prototype.slice = () => { throw new Error('nothing to cut with') }");
  await choose(page, exported.bytes, 'again.zip');
  await page.getByText('again.zip is no package that can be checked. nothing to cut with').waitFor();
});

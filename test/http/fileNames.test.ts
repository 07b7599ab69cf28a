import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('names of files [uploads-16]');
let service: TestService;
let api: Client;
test.before(async () => {
  service = await sharedService();
  ({ api } = await service.company());
});

const file = receiptText();
const declared = (fileName?: string) => ({
  mimeType: file.mimeType,
  fileSize: Buffer.byteLength(String(file.content)),
  ...(fileName === undefined ? {} : { fileName }),
});
const filesOf = async (submissionId: string) =>
  (await api.get(`/api/v1/submissions/${submissionId}`)).body.files;
/** How a browser is told to save a file. */
const dispositionOf = async (downloadUrl: string): Promise<string | null> => {
  const download = await fetch(downloadUrl);
  await download.arrayBuffer();
  return download.headers.get('content-disposition');
};

test('a name that the client gave stands in detail and result, and the download is saved under it [submissions-3]', async () => {
  const job = await api.process([file], { files: [declared('Taxi 12.json')] });
  const [shown] = await filesOf(job.submissionId);
  assert.is(shown.fileName, 'Taxi 12.json');
  assert.equal(job.result.files, [
    { fileId: shown.id, fileIndex: 0, label: 'front', fileName: 'Taxi 12.json' },
  ]);
  assert.is(job.result.fields.total.place?.fileId ?? shown.id, shown.id);
  assert.is(await dispositionOf(shown.downloadUrl), 'attachment; filename="Taxi 12.json"');
});

test('a name in any script is told as RFC 8187 says, and leads to no other folder', async () => {
  const job = await api.process([file], { files: [declared('../Übersicht/Reçu № 7.json')] });
  const [{ fileName, downloadUrl }] = await filesOf(job.submissionId);
  assert.is(fileName, '../Übersicht/Reçu № 7.json', 'as it was given');
  const [, plain, encoded] =
    /^attachment; filename="([^"]+)"; filename\*=UTF-8''(\S+)$/.exec(
      (await dispositionOf(downloadUrl)) ?? '',
    ) ?? [];
  assert.is(plain, '__bersicht_Re_u _ 7.json');
  assert.is(decodeURIComponent(encoded ?? ''), '_Übersicht_Reçu № 7.json');
});

test('a file without a name is saved under its label with the extension of its type', async () => {
  const job = await api.process([file], { files: [declared()] });
  const [{ fileName, downloadUrl }] = await filesOf(job.submissionId);
  assert.is(fileName, null);
  assert.is(job.result.files[0].fileName, null);
  assert.is(await dispositionOf(downloadUrl), 'attachment; filename="front.json"');
});

test('so is one that was not declared', async () => {
  const session = await api.open([{ content: 'Total: 80.90', mimeType: 'text/plain' }]);
  assert.is((await api.submit(session)).status, 202);
  const [{ fileName, downloadUrl }] = await filesOf(session.submissionId);
  assert.is(fileName, null);
  assert.is(await dispositionOf(downloadUrl), 'attachment; filename="front.txt"');
  assert.is((await api.post(`/api/v1/submissions/${session.submissionId}/cancel`)).status, 200);
});

test('in test mode a forced outcome names the files as well', async () => {
  const { id } = await service.company();
  const { api: tester } = await service.key(id, 'test');
  const metadata = { 'intake:outcome': 'approved' };
  const job = await tester.process([file], { files: [declared('a.json')], metadata });
  assert.is(job.result.files[0].fileName, 'a.json');
});

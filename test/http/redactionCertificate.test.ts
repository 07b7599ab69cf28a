import { verify as holds } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readPublicKey } from '../../evidence/keys.ts';
import { verifyCertificate } from '../../evidence/verify.ts';
import { eventually, suite } from '../harness.ts';
import { client, receiptText } from '../support/client.ts';
import { runIntake } from '../support/commandLine.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('the certificate of a redaction over HTTP');
const NAME = 'Marta-Quillfeather';
const basis = { reason: 'article 17', legalBasis: 'erasure_request', requestedBy: 'ticket 4711' };
const folder = mkdtempSync(join(tmpdir(), 'intake-certificate-'));
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: Awaited<ReturnType<TestService['company']>>;
let redacted = '';
test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  company = await service.company();
  redacted = await named();
});
test.after(async () => {
  await people.close();
  await service.close();
  rmSync(folder, { recursive: true });
});

const at = (id: string, rest = '') => `/api/v1/submissions/${id}${rest}`;
const pathOf = (id: string) => at(id, '/redaction-certificate');

/** A submission with a name in each text that a client can give. */
const named = async (): Promise<string> => {
  const input = { clientSubmissionId: NAME, metadata: { customer: NAME }, batchRef: `trip-${NAME}` };
  const job = await company.api.process([receiptText({ company: NAME, date: undefined })], input);
  return job.submissionId;
};

const redact = async (id: string): Promise<void> => {
  assert.is((await company.api.post(at(id, '/redact'), basis)).status, 202);
  const isDone = async () => (await company.api.get(at(id))).body.redaction === 'done';
  await eventually(`the redaction of ${id}`, isDone, 60_000);
};

const publicKey = async () => {
  const { body } = await client(service.url, null).get('/api/v1/evidence-key');
  const key = readPublicKey(body.publicKey);
  if (key === null) throw new Error('it is no public key');
  return { key, pem: body.publicKey as string };
};

test('before the redaction it is a 409, after it a signed statement without anything private [certificate-1, certificate-2, certificate-3]', async () => {
  const auditor = await people.user(company.id, 'auditor');
  const early = await auditor.api.get(pathOf(redacted));
  assert.equal([early.status, early.body.code], [409, 'redaction-not-done'], early.text);
  await redact(redacted);
  const { status, body, text } = await auditor.api.get(pathOf(redacted));
  assert.is(status, 200, text);
  assert.equal(await verifyCertificate(text, (await publicKey()).key), {
    certificate: body.certificate,
    findings: [],
  });
  const { certificate } = body;
  assert.equal([certificate.submissionId, certificate.companyId], [redacted, company.id]);
  const { reason, legalBasis, requestedBy, actor } = certificate.requested;
  assert.equal({ reason, legalBasis, requestedBy }, basis);
  assert.is(actor.kind, 'key');
  const { events } = (await company.api.get(at(redacted))).body;
  assert.is(certificate.chain.events, events.length);
  assert.is(certificate.destroyed.find(({ what }: { what: string }) => what === 'files').count, 1);
  assert.not.match(text, NAME);
});

test('those who may not export evidence, and other companies, get none [certificate-2]', async () => {
  const reviewer = await people.user(company.id, 'reviewer');
  assert.is((await reviewer.api.get(pathOf(redacted))).body.code, 'role-required');
  assert.is((await company.api.get(pathOf(redacted))).status, 401);
  const stranger = await people.user((await service.company()).id, 'auditor');
  assert.is((await stranger.api.get(pathOf(redacted))).status, 404);
  const auditor = await people.user(company.id, 'auditor');
  const inTest = { headers: { 'intake-mode': 'test' } };
  assert.is((await auditor.api.get(pathOf(redacted), inTest)).status, 404);
});

test('the command line writes the same, and verifies it and the evidence with the key alone [certificate-4, certificate-5]', async () => {
  const certificate = join(folder, 'certificate.json');
  const made = await service.intake<{ certificate: { chain: object } }>(
    ...['audit', 'certificate', redacted, '--out', certificate],
  );
  const { body } = await (await people.user(company.id, 'org_admin')).api.get(pathOf(redacted));
  assert.equal(made.certificate.chain, body.certificate.chain);
  const pem = join(folder, 'key.pem');
  writeFileSync(pem, (await publicKey()).pem);
  const verify = async (path: string) => {
    const { code, stdout } = await runIntake({}, 'audit', 'verify', path, '--key', pem, '--json');
    return { code, verdict: JSON.parse(stdout) };
  };
  const own = await verify(certificate);
  assert.equal([own.code, own.verdict.holds, own.verdict.findings], [0, true, []]);
  const changed = join(folder, 'changed.json');
  writeFileSync(changed, JSON.stringify({ ...body, certificate: { ...body.certificate, mode: 'test' } }));
  // As with jq and openssl: without anything of ours.
  const written = `${JSON.stringify(body.certificate, null, 2)}\n`;
  const signature = Buffer.from(body.signature, 'base64');
  assert.ok(holds(null, Buffer.from(written), (await publicKey()).pem, signature));
  const other = await verify(changed);
  assert.equal([other.code, other.verdict.holds, other.verdict.certificate], [1, false, null]);
  const text = await runIntake({}, 'audit', 'verify', certificate, '--key', pem);
  assert.match(text.stdout, `Submission ${redacted} was redacted`);
  const evidence = join(folder, 'evidence.zip');
  await service.intake('audit', 'export', redacted, '--out', evidence);
  const { code, verdict } = await verify(evidence);
  assert.equal([code, verdict.holds, verdict.findings], [0, true, []]);
  const [file, ...parts] = verdict.redacted.map(({ file: name, detail }: Record<string, string>) => [
    ...[name, detail],
  ]);
  assert.match(file[0], /^files\/0-/);
  assert.ok(parts.length > 0);
  for (const [, detail] of [file, ...parts])
    assert.match(detail, `redacted at ${body.certificate.requested.at}, legal basis erasure_request`);
});

import type { components } from '../../client/api.ts';

// The main job with the types of openapi-typescript: scripts/check-clients compiles it beside new ones, and
// runs it.
type Schemas = components['schemas'];

const { INTAKE_URL = '', INTAKE_KEY = '' } = process.env;
const content = JSON.stringify({ company: 'ACME', date: '2026-11-21', total: 80.9 });

const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const headers = { authorization: `Bearer ${INTAKE_KEY}`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(INTAKE_URL + path, init);
  if (response.ok) return (await response.json()) as T;
  const { code, detail } = (await response.json()) as Schemas['Problem'];
  throw new Error(`${code}: ${detail}`);
};

const request: Schemas['SessionRequest'] = {
  files: [{ mimeType: 'application/json', fileSize: content.length, fileName: 'receipt.json' }],
};
const sessions = '/api/v1/workflows/receipt/sessions';
const session = await call<Schemas['SessionCreated']>('POST', sessions, request);
for (const { method, url, headers } of session.uploads) {
  if (url === null) throw new Error('a small file is sent as a whole');
  const { status } = await fetch(url, { method, headers, body: content });
  if (status !== 200) throw new Error(`the upload was answered ${status}`);
}
await call<Schemas['Job']>('POST', `${sessions}/${session.sessionId}/submit`, {});
const unfinished: readonly Schemas['JobState'][] = ['pending', 'queued', 'processing'];
let job = await call<Schemas['Job']>('GET', `/api/v1/jobs/${session.sessionId}`);
while (unfinished.includes(job.state)) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  job = await call<Schemas['Job']>('GET', `/api/v1/jobs/${session.sessionId}`);
}
const total: Schemas['FieldValue'] | undefined = job.result?.fields.total?.value;
if (job.submissionStatus !== 'approved' || total !== 80.9) throw new Error(JSON.stringify(job));
const { data } = await call<Schemas['SubmissionPage']>('GET', '/api/v1/submissions');
if (!data.some(({ id }) => id === session.submissionId)) throw new Error('the list lacks the submission');

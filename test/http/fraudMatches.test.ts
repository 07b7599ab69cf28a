import * as assert from 'uvu/assert';
import { rounds, suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { detailOf, fraudCompany, newReceipt, sent } from '../support/fraud.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('fraud matches');
let service: TestService;
let api: Client;
let keyId: string;
let foreign: Client;

test.before(async () => {
  service = await sharedService();
  ({ api, keyId } = await fraudCompany(service, ['both', 'file', 'data', 'lax']));
  const { id } = await service.intake<{ id: string }>('company', 'create', '--name', 'Other');
  foreign = (await service.key(id)).api;
});

const pathOf = (id: string, matchId = '') =>
  `/api/v1/submissions/${id}/fraud-matches${matchId && `/${matchId}/resolve`}`;
const resolve = (id: string, matchId: string, body: unknown, by = api) => by.post(pathOf(id, matchId), body);
const decide = (id: string, what: string) => api.post(`/api/v1/submissions/${id}/${what}`);
const matchesOf = async (id: string) => (await api.get(pathOf(id))).body.data;

/** A submission that is the same file as one before it, and the open match that says so. */
const blocked = async (slug: 'file' | 'lax' = 'file', input: object = {}) => {
  const { copy } = newReceipt();
  const original = await sent(api, slug, [copy()]);
  const { id, fraudMatches } = await sent(api, slug, [copy()], input);
  assert.is(fraudMatches.length, 1);
  return { id: id as string, matchId: fraudMatches[0].id as string, original };
};

test('the list gives all matches in one response, as the detail shows them; cursor and limit are ignored, even malformed or repeated [fraud-12]', async () => {
  const { copy } = newReceipt();
  await sent(api, 'both', [copy()]);
  const { id, fraudMatches } = await sent(api, 'both', [copy()]);
  assert.is(fraudMatches.length, 2);
  const names =
    'id checkType status resolution resolvedBy resolvedAt score similarity matchedSubmissionId label details';
  assert.equal(Object.keys(fraudMatches[0]).sort(), names.split(' ').sort());
  for (const query of [
    '',
    'limit=1',
    'limit=x',
    'limit=1&limit=2',
    'cursor=%7B',
    'cursor=a&cursor=b',
    'cursor=&limit=',
  ]) {
    const { status, body } = await api.get(`${pathOf(id)}?${query}`);
    assert.is(status, 200, query);
    assert.equal(body, { data: fraudMatches, pagination: { hasMore: false, nextCursor: null } }, query);
  }
});

test('a submission without matches, or not yet checked, has an empty list', async () => {
  const { id } = await sent(api, 'file', [newReceipt().copy()]);
  const { submissionId } = await api.open([], {}, 'file');
  for (const without of [id, submissionId])
    assert.equal((await api.get(pathOf(without))).body, {
      data: [],
      pagination: { hasMore: false, nextCursor: null },
    });
});

for (const [resolution, status, score] of [
  ['dismissed', 'clean', 0],
  ['confirmed', 'blocked', 1],
] as const) {
  test(`resolve ${resolution}: 200 with the item; fraudStatus ${status}, fraudScore ${score}; the submissionStatus stays [fraud-14, fraud-15, fraud-20]`, async () => {
    const { id, matchId } = await blocked();
    const before = Date.now();
    const answer = await resolve(id, matchId, { resolution, comment: 'looked', resolvedBy: 'ann' });
    assert.is(answer.status, 200, answer.text);
    const { body } = answer;
    assert.equal(
      [body.id, body.status, body.resolution, body.resolvedBy],
      [matchId, 'resolved', resolution, 'ann'],
    );
    assert.ok(Date.parse(body.resolvedAt) >= before && Date.parse(body.resolvedAt) <= Date.now());
    const detail = await detailOf(api, id);
    assert.equal(detail.fraudMatches, [body], 'the next read shows it');
    assert.equal(await matchesOf(id), [body]);
    assert.equal([detail.submissionStatus, detail.fraudStatus, detail.fraudScore], ['review', status, score]);
    const { type, details } = detail.events.at(-1);
    assert.is(type, 'submission.fraud_match_resolved');
    assert.equal(details, {
      matchId,
      resolution,
      previousResolution: null,
      fraudStatus: status,
      fraudScore: score,
      resolvedBy: 'ann',
      comment: 'looked',
    });
  });
}

test('resolvedBy is the key where nobody is named [fraud-16]', async () => {
  const { id, matchId } = await blocked();
  assert.is((await resolve(id, matchId, { resolution: 'dismissed' })).body.resolvedBy, `key:${keyId}`);
});

test('the score is the greatest of the matches that were not dismissed [fraud-10]', async () => {
  const { copy } = newReceipt();
  await sent(api, 'both', [copy()]);
  const { id, fraudMatches } = await sent(api, 'both', [copy()]);
  const states: unknown[] = [];
  for (const { id: matchId } of fraudMatches) {
    await resolve(id, matchId, { resolution: 'dismissed' });
    const { fraudStatus, fraudScore } = await detailOf(api, id);
    states.push([fraudStatus, fraudScore]);
  }
  assert.equal(states, [
    ['flagged', 0.8],
    ['clean', 0],
  ]);
});

test('each resolution is assessed anew over all matches: of two the other one still counts [fraud-20]', async () => {
  const { copy } = newReceipt();
  await sent(api, 'both', [copy()]);
  const { id, fraudMatches } = await sent(api, 'both', [copy()]);
  const [bytes, data] = ['duplicate_file', 'duplicate_data'].map(
    (check) => fraudMatches.find(({ checkType }: { checkType: string }) => checkType === check).id as string,
  );
  const after = async (matchId = '', resolution = '') => {
    assert.is((await resolve(id, matchId, { resolution })).status, 200);
    const { fraudStatus, fraudScore } = await detailOf(api, id);
    return [fraudStatus, fraudScore];
  };
  assert.equal(await after(bytes, 'dismissed'), ['flagged', 0.8]);
  assert.equal(await after(data, 'dismissed'), ['clean', 0]);
  assert.equal(await after(bytes, 'confirmed'), ['blocked', 1]);
});

test('the same resolution again is a 200 that changes nothing [fraud-19]', async () => {
  const { id, matchId } = await blocked();
  const first = await resolve(id, matchId, { resolution: 'confirmed', resolvedBy: 'ann' });
  const before = await detailOf(api, id);
  const again = await resolve(id, matchId, { resolution: 'confirmed', resolvedBy: 'bob', comment: 'me too' });
  assert.equal([again.status, again.body], [200, first.body]);
  assert.equal((await detailOf(api, id)).events, before.events);
});

test('another resolution replaces the one given, as an event with both that is told by a webhook, until the submission is final [fraud-17]', async () => {
  const { id, matchId } = await blocked('file', { webhookUrl: `${service.receiver.url}/replaced` });
  const path = `/api/v1/submissions/${id}`;
  const confirmed = await resolve(id, matchId, { resolution: 'confirmed', resolvedBy: 'ann' });
  const headers = { 'if-match': confirmed.headers.get('etag') ?? '' };
  const mistaken = { resolution: 'dismissed', resolvedBy: 'bob', comment: 'a mistake' };
  const replaced = await api.post(pathOf(id, matchId), mistaken, { headers });
  assert.is(replaced.status, 200, replaced.text);
  assert.equal([replaced.body.resolution, replaced.body.resolvedBy], ['dismissed', 'bob']);
  const detail = await detailOf(api, id);
  assert.equal([detail.fraudStatus, detail.fraudScore, detail.submissionStatus], ['clean', 0, 'review']);
  const [first, second] = detail.events.slice(-2);
  assert.equal([first.details.resolution, first.details.previousResolution], ['confirmed', null]);
  const { resolution, previousResolution, fraudStatus } = second.details;
  assert.equal([resolution, previousResolution, fraudStatus], ['dismissed', 'confirmed', 'clean']);
  const before = (await api.get(`${path}?at=${headers['if-match'].replaceAll('"', '')}`)).body;
  assert.equal([before.fraudStatus, before.fraudMatches], ['blocked', [confirmed.body]]);
  assert.is((await resolve(id, matchId, mistaken)).status, 200);
  assert.is((await detailOf(api, id)).events.length, detail.events.length, 'the same again is no event');
  assert.is((await decide(id, 'approve')).status, 200);
  const late = await resolve(id, matchId, { resolution: 'confirmed' });
  assert.equal([late.status, late.body.code], [409, 'fraud-match-resolved']);
  const open = ['created', 'processing', 'capture_quality_blocked', 'review', 'failed'];
  assert.equal([late.body.currentStatus, late.body.allowedFrom], ['approved', open]);
  assert.is((await matchesOf(id))[0].resolution, 'dismissed');
  const typeOf = ({ headers: sent }: { headers: Readonly<Record<string, unknown>> }) =>
    sent['x-webhook-event'];
  const told = () => service.receiver.requests.filter(({ path: to }) => to === '/replaced').map(typeOf);
  await service.receiver.waitFor((request) => request.path === '/replaced' && told().length === 4);
  assert.is(told().filter((type) => type === 'submission.fraud_match_resolved').length, 2);
});

test(
  'of several resolutions at once each is decided on the one before it [fraud-17]',
  async () => {
    for (let round = 0; round < rounds(2, 50); round += 1) {
      const { id, matchId } = await blocked();
      const asked = ['confirmed', 'dismissed', 'confirmed', 'dismissed'].map((resolution) =>
        resolve(id, matchId, { resolution }),
      );
      const answers = (await Promise.all(asked)).map(({ status }) => status);
      assert.equal(answers, [200, 200, 200, 200]);
      const { events, fraudMatches } = await detailOf(api, id);
      let last: string | null = null;
      for (const { type, details } of events) {
        if (!type.endsWith('match_resolved')) continue;
        assert.is(details.previousResolution, last);
        assert.is.not(details.resolution, last);
        last = details.resolution;
      }
      assert.is(fraudMatches[0].resolution, last);
    }
  },
  { timeoutMs: 120_000 },
);

test('resolve heeds If-Match and answers the new revision [conditions-2]', async () => {
  const { id, matchId } = await blocked();
  const tagOf = async () => (await api.get(`/api/v1/submissions/${id}`)).headers.get('etag') ?? '';
  const conditional = (tag: string) =>
    api.post(pathOf(id, matchId), { resolution: 'dismissed' }, { headers: { 'if-match': tag } });
  const tag = await tagOf();
  const stale = await conditional('"1"');
  assert.equal([stale.status, stale.body.code], [412, 'precondition-failed']);
  const done = await conditional(tag);
  assert.is(done.status, 200, done.text);
  assert.is(done.headers.get('etag'), await tagOf());
  assert.is.not(done.headers.get('etag'), tag);
});

test('bodies are checked', async () => {
  const { id, matchId } = await blocked();
  for (const body of [
    {},
    { resolution: 'open' },
    { resolution: null },
    { resolution: 'confirmed', comment: 1 },
    { resolution: 'confirmed', resolvedBy: 'x'.repeat(129) },
    { resolution: 'confirmed', other: 1 },
    [],
  ])
    assert.is((await resolve(id, matchId, body)).status, 422, JSON.stringify(body));
  assert.is((await matchesOf(id))[0].status, 'open');
});

test('an unknown or foreign match, and one of another form, is the same 404', async () => {
  const { id, matchId } = await blocked();
  const other = await blocked();
  const body = { resolution: 'dismissed' };
  const answers = await Promise.all([
    resolve(id, `fm_${'0'.repeat(26)}`, body),
    resolve(id, other.matchId, body),
    resolve(id, 'fm_x', body),
    resolve(id, id, body),
    resolve(`sub_${'0'.repeat(26)}`, matchId, body),
    resolve(id, matchId, body, foreign),
    resolve(id, 'fm_x', { resolution: 'nonsense' }),
  ]);
  const told = answers.map((reply) => JSON.stringify([reply.status, reply.body.code, reply.body.detail]));
  assert.is(new Set(told).size, 1, told.join('\n'));
  assert.match(told[0] ?? '', /^\[404/);
  assert.is((await foreign.get(pathOf(id))).status, 404);
  assert.is((await matchesOf(id))[0].status, 'open');
});

for (const [what, status] of [
  ['reject', 'rejected'],
  ['cancel', 'cancelled'],
] as const)
  test(`a match is resolved when the submission is ${status}, which it stays [fraud-18]`, async () => {
    const { id, matchId } = await blocked();
    assert.is((await decide(id, what)).status, 200);
    assert.is((await resolve(id, matchId, { resolution: 'dismissed' })).status, 200);
    assert.is((await detailOf(api, id)).submissionStatus, status);
  });

test('what is flagged can be approved; its match is resolved when it is approved, which it stays', async () => {
  const { rewritten } = newReceipt();
  await sent(api, 'data', [rewritten()]);
  const { id, fraudMatches } = await sent(api, 'data', [rewritten()]);
  assert.is((await decide(id, 'approve')).status, 200);
  assert.is((await resolve(id, fraudMatches[0].id, { resolution: 'confirmed' })).status, 200);
  const { submissionStatus, fraudStatus } = await detailOf(api, id);
  assert.equal([submissionStatus, fraudStatus], ['approved', 'flagged']);
});

test('approve is a 409 fraud-unresolved while an open match blocks, fraud-confirmed when a confirmed one does; both list the matches and name the way out [fraud-22, fraud-23, fraud-24]', async () => {
  const { id, matchId, original } = await blocked();
  const call = `POST /api/v1/submissions/${id}/fraud-matches/{id}/resolve`;
  const item = {
    ...{ id: matchId, checkType: 'duplicate_file', score: 1, matchedSubmissionId: original.id },
  };
  const refusedAs = async (code: string) => {
    const { status, body } = await decide(id, 'approve');
    assert.equal([status, body.code, body.currentStatus], [409, code, 'review']);
    assert.not.ok('allowedFrom' in body, 'no status would have allowed it');
    assert.equal(body.fraudMatches, [item]);
    assert.ok(body.detail.includes(call), body.detail);
  };
  await refusedAs('fraud-unresolved');
  await resolve(id, matchId, { resolution: 'confirmed' });
  await refusedAs('fraud-confirmed');
  assert.is((await decide(id, 'reject')).status, 200, 'it can still be rejected');
});

test('approve is granted once what blocked was dismissed', async () => {
  const { id, matchId } = await blocked();
  await resolve(id, matchId, { resolution: 'dismissed' });
  const { status, body } = await decide(id, 'approve');
  assert.equal([status, body.submissionStatus], [200, 'approved']);
});

test(
  'requireResolution false lets a blocked submission be approved, with a match open or confirmed [fraud-25]',
  async () => {
    const open = await blocked('lax');
    assert.is((await decide(open.id, 'approve')).status, 200);
    const confirmed = await blocked('lax');
    await resolve(confirmed.id, confirmed.matchId, { resolution: 'confirmed' });
    assert.is((await decide(confirmed.id, 'approve')).status, 200);
  },
  { timeoutMs: 60_000 },
);

test(
  'the list is filtered by each fraud status, and by null for those without [fraud-26, submissions-5]',
  async () => {
    const { copy, rewritten } = newReceipt();
    const of = { clientSubmissionId: 'filtered' };
    const clean = await sent(api, 'both', [copy()], of);
    const flagged = await sent(api, 'both', [rewritten()], of);
    const { id: blockedId } = await sent(api, 'both', [copy()], of);
    const { submissionId: waiting } = await api.open([], of, 'both');
    const failed = await sent(api, 'both', [{ content: '{', mimeType: 'application/json' }], of);
    const listed = async (fraudStatus: string): Promise<readonly string[]> => {
      const { body } = await api.get(
        `/api/v1/submissions?clientSubmissionId=filtered&fraudStatus=${fraudStatus}`,
      );
      return body.data.map(({ id }: { id: string }) => id);
    };
    assert.equal(await listed('clean'), [clean.id]);
    assert.equal(await listed('flagged'), [flagged.id]);
    assert.equal(await listed('blocked'), [blockedId]);
    assert.equal(await listed('null'), [failed.id, waiting]);
    await resolve(flagged.id, flagged.fraudMatches[0].id, { resolution: 'dismissed' });
    assert.equal(await listed('clean'), [flagged.id, clean.id], 'a resolution moves it');
    assert.equal(await listed('flagged'), []);
  },
  { timeoutMs: 60_000 },
);

test('a resolution is told by the webhook submission.fraud_match_resolved, once, without a result [fraud-21]', async () => {
  const { id, matchId } = await blocked('file', { webhookUrl: `${service.receiver.url}/resolved` });
  await resolve(id, matchId, { resolution: 'dismissed' });
  await resolve(id, matchId, { resolution: 'dismissed' });
  await decide(id, 'reject');
  const ofPath = ({ path }: { path: string }) => path === '/resolved';
  const typeOf = ({ headers }: { headers: Readonly<Record<string, unknown>> }) => headers['x-webhook-event'];
  const eventOf = (type: string) =>
    service.receiver.waitFor((request) => ofPath(request) && typeOf(request) === type);
  await Promise.all(['session.review_required', 'submission.rejected'].map(eventOf));
  const told = await eventOf('submission.fraud_match_resolved');
  const envelope = JSON.parse(told.body.toString());
  assert.equal([envelope.submissionId, envelope.submissionStatus, envelope.result], [id, 'review', null]);
  assert.is(service.receiver.requests.filter(ofPath).length, 3);
});

import * as assert from 'uvu/assert';
import { reviewSubmission } from '../../commands/reviewSubmission.ts';
import { context } from '../controls/stores.ts';
import { eventually, rounds, suite } from '../harness.ts';
import { type Client, client, keepWaiting, type Reply, receiptText } from '../support/client.ts';
import { openCore } from '../support/core.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('the review queue');
type People = Awaited<ReturnType<typeof peopleOf>>;
type User = Awaited<ReturnType<People['user']>>;
// biome-ignore lint/suspicious/noExplicitAny: rows as they are answered
type Row = any;
let service: TestService;
let people: People;
let users: readonly User[];

const fraud = { checks: ['duplicate_data'], businessKey: ['company', 'total'], flagAt: 0.1, blockAt: 0.95 };
const always = { ...receiptDefinition, processing: { review: 'always', fraud } } as const;
const invoices = { ...always, slug: 'invoice', name: 'Invoice', processing: { review: 'always' } } as const;
const QUEUE = '/api/v1/review-queue';

test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
});
test.after(async () => {
  await people.close();
  await service.close();
});

/** The counts of an empty queue. */
const none = {
  ...{ waiting: 0, workflows: [], reasons: [], fraudStatuses: [], claimed: { mine: 0, others: 0 } },
  ...{ assigned: 0, postponed: 0, decided: null },
};

/** A company of its own: its queue is empty, and its own. */
const newCompany = async (members = 1) => {
  const company = await service.company(always);
  await service.publish(invoices);
  await service.intake('workflow', 'assign', 'invoice', '--company', company.id);
  users = await Promise.all(Array.from({ length: members }, () => people.user(company.id, 'reviewer')));
  const put = async (members: Readonly<Record<string, unknown>> = {}, slug = 'receipt'): Promise<string> => {
    const job = await company.api.process([receiptText(members)], {}, slug);
    assert.is(job.submissionStatus, 'review');
    return job.submissionId;
  };
  /** So many that wait, the first one longest. */
  const fill = async (count: number): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await put({ company: `ACME ${n}` }));
    return ids;
  };
  const [first] = users;
  if (!first) throw new Error('there is nobody');
  return { ...company, put, fill, me: first };
};
const idsOf = ({ body }: Reply): readonly string[] => body.data.map(({ id }: Row) => id);
const list = async (api: Client, query = ''): Promise<readonly string[]> => {
  const answer = await api.get(`${QUEUE}?${query}`);
  assert.is(answer.status, 200, answer.text);
  return idsOf(answer);
};
const next = (api: Client, body: object = {}): Promise<Reply> => api.post(`${QUEUE}/next`, body);
const claim = (api: Client, id: string): Promise<Reply> => api.post(`/api/v1/submissions/${id}/claim`);
const release = (api: Client, id: string): Promise<Reply> =>
  api.call('DELETE', `/api/v1/submissions/${id}/claim`);
const decide = (api: Client, id: string, what: string): Promise<Reply> =>
  api.post(`/api/v1/submissions/${id}/${what}`);

test('a row has what a list needs, and no more of the data than its label [review-queue-1]', async () => {
  const { api, put, me } = await newCompany();
  assert.equal((await api.get(QUEUE)).body, {
    data: [],
    pagination: { hasMore: false, nextCursor: null },
    counts: none,
  });
  const id = await put({ company: `A${'c'.repeat(60)}` });
  const detail = (await api.get(`/api/v1/submissions/${id}`)).body;
  const { data, counts } = (await me.api.get(QUEUE)).body;
  assert.equal(data, [
    {
      id,
      workflow: { slug: 'receipt', name: 'Receipt', version: detail.workflow.version },
      createdAt: detail.createdAt,
      waitingSince: data[0].waitingSince,
      reviewReasons: detail.reviewReasons,
      ...{ fraudStatus: 'clean', fraudScore: 0, confidence: detail.confidence, fileCount: 1 },
      ...{ label: `A${'c'.repeat(38)}… · 2018-03-12 · 80.90`, amount: 80.9, clientSubmissionId: null },
      ...{ firstDecision: null, assignee: null, postponed: null, claim: null },
    },
  ]);
  assert.ok(data[0].waitingSince >= data[0].createdAt);
  assert.equal(counts, {
    ...{ waiting: 1, workflows: [{ slug: 'receipt', waiting: 1 }] },
    reasons: [{ code: 'always_review', waiting: 1 }],
    fraudStatuses: [{ fraudStatus: 'clean', waiting: 1 }],
    ...{ claimed: { mine: 0, others: 0 }, assigned: 0, postponed: 0, decided: null },
  });
});

test('what is decided is gone at once, by whatever decision, and so are its counts [review-queue-1, reads-1]', async () => {
  const { api, fill } = await newCompany();
  const ids = await fill(4);
  const approvedOne = await service.company();
  await approvedOne.api.process([receiptText()]);
  assert.equal(await list(approvedOne.api), [], 'what needs no review never waits');
  for (const [n, what] of ['approve', 'reject', 'cancel'].entries()) {
    assert.is((await decide(api, ids[n] ?? '', what)).status, 200);
    assert.equal(await list(api), ids.slice(n + 1));
    assert.is((await api.get(QUEUE)).body.counts.waiting, 3 - n);
  }
});

test('who asks since when is told how many decisions they made, and of nobody else [figures-4]', async () => {
  const { api, fill, me } = await newCompany(2);
  const [, other] = users;
  const [one = '', two = '', three = '', four = ''] = await fill(4);
  const before = new Date().toISOString();
  const decidedSince = async (by: Client, time: string): Promise<number | null> =>
    (await by.get(`${QUEUE}?decidedSince=${time}`)).body.counts.decided;
  assert.is(await decidedSince(me.api, before), 0);
  await decide(me.api, one, 'approve');
  await decide(me.api, two, 'reject');
  await decide(me.api, three, 'cancel');
  await decide(api, four, 'approve');
  assert.equal([await decidedSince(me.api, before), await decidedSince(api, before)], [3, 1]);
  assert.is(await decidedSince(other?.api ?? api, before), 0);
  assert.is(await decidedSince(me.api, new Date(Date.now() + 60_000).toISOString()), 0);
  assert.is((await me.api.get(QUEUE)).body.counts.decided, null, 'nobody asked');
  assert.is((await me.api.get(`${QUEUE}?decidedSince=today`)).status, 400);
});

test('the longest in review come first, or the riskiest [review-queue-2]', async () => {
  const { api, put } = await newCompany();
  const sure = await put({ company: 'A' });
  const unsure = await put({ company: 'B', total: undefined, one: { total: 80 }, other: { total: 90 } });
  const same = await put({ company: 'A' });
  assert.equal(await list(api), [sure, unsure, same]);
  assert.equal(await list(api, 'order=oldest'), [sure, unsure, same]);
  const { data } = (await api.get(`${QUEUE}?order=riskiest`)).body;
  assert.equal(
    data.map(({ id }: Row) => id),
    [same, unsure, sure],
  );
  assert.ok(data[0].fraudScore > data[1].fraudScore && data[1].confidence < data[2].confidence);
  const [{ id: match }] = (await api.get(`/api/v1/submissions/${same}/fraud-matches`)).body.data;
  const resolve = { resolution: 'dismissed' };
  await api.post(`/api/v1/submissions/${same}/fraud-matches/${match}/resolve`, resolve);
  assert.equal(await list(api, 'order=riskiest'), [unsure, sure, same], 'a dismissed match is no risk');
});

test('filters, alone and together, and counts that they leave alone [review-queue-3]', async () => {
  const { api, put, me } = await newCompany(2);
  const plain = await put({ company: 'A' });
  const lacking = await put({ company: 'B', total: undefined });
  const flagged = await put({ company: 'A' });
  const invoice = await put({ company: 'C', total: undefined }, 'invoice');
  const [, other] = users;
  await claim(me.api, plain);
  await claim(other?.api as Client, flagged);
  for (const [query, expected] of [
    ['workflow=invoice', [invoice]],
    ['workflow=nothing', []],
    ['reason=missing_required', [lacking, invoice]],
    ['reason=missing_required&workflow=receipt', [lacking]],
    ['fraudStatus=flagged', [flagged]],
    ['fraudStatus=blocked', []],
    ['claimed=none', [lacking, invoice]],
    ['claimed=mine', [plain]],
    ['claimed=others', [flagged]],
    ['claimed=others&fraudStatus=clean', []],
    ['claimed=none&workflow=receipt&order=riskiest', [lacking]],
  ] as const) {
    const { body } = await me.api.get(`${QUEUE}?${query}`);
    assert.equal(
      body.data.map(({ id }: Row) => id),
      expected,
      query,
    );
    const { waiting, workflows, claimed, ...counts } = body.counts;
    assert.equal(claimed, { mine: 1, others: 1 }, query);
    assert.equal(
      counts,
      {
        reasons: [
          { code: 'missing_required', waiting: 2 },
          { code: 'fraud_flagged', waiting: 1 },
          { code: 'always_review', waiting: 4 },
        ],
        fraudStatuses: [
          { fraudStatus: 'clean', waiting: 3 },
          { fraudStatus: 'flagged', waiting: 1 },
        ],
        ...{ assigned: 0, postponed: 0, decided: null },
      },
      query,
    );
    const told = workflows.map((one: Row) => [one.slug, one.waiting]);
    assert.equal(
      [waiting, told],
      [
        4,
        [
          ['invoice', 1],
          ['receipt', 3],
        ],
      ],
      query,
    );
  }
  assert.equal(await list(api, 'claimed=mine'), [], 'a key claims nothing');
  assert.equal(await list(api, 'claimed=others'), [plain, flagged]);
  for (const [query, name] of [
    ['order=newest', 'order'],
    ['reason=boredom', 'reason'],
    ['fraudStatus=null', 'fraudStatus'],
    ['claimed=me', 'claimed'],
    ['wait=soon', 'wait'],
    ['wait=1.5', 'wait'],
    ['cursor=%20', 'cursor'],
    ['order=oldest&order=riskiest', 'order'],
  ] as const) {
    const { status, body } = await me.api.get(`${QUEUE}?${query}`);
    assert.equal([status, body.errors?.[0]?.pointer], [400, `/query/${name}`], query);
  }
});

test('pages go on where they ended, in each order and whoever has claimed what [review-queue-2, paging-4]', async () => {
  const { fill, me } = await newCompany(2);
  const ids = await fill(7);
  for (const id of ids.slice(2, 4)) await claim(me.api, id);
  await claim(users[1]?.api as Client, ids[5] ?? '');
  for (const [filter, expected] of [
    ['', ids],
    ['&claimed=none', [ids[0], ids[1], ids[4], ids[6]]],
    ['&claimed=mine', [ids[2], ids[3]]],
    ['&order=riskiest', ids],
    ['&order=riskiest&claimed=none', [ids[0], ids[1], ids[4], ids[6]]],
  ] as const)
    for (const limit of [1, 2, 3]) {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const answer = await me.api.get(`${QUEUE}?limit=${limit}${filter}${cursor && `&cursor=${cursor}`}`);
        found.push(...idsOf(answer));
        const { hasMore, nextCursor } = answer.body.pagination;
        assert.is(hasMore, nextCursor !== null);
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
      assert.equal(found, expected, `${filter} by ${limit}`);
    }
  const { nextCursor } = (await me.api.get(`${QUEUE}?limit=1`)).body.pagination;
  for (const query of ['order=riskiest', 'claimed=none', 'workflow=receipt'])
    assert.is((await me.api.get(`${QUEUE}?limit=1&cursor=${nextCursor}&${query}`)).status, 400, query);
});

test('a claim is for two minutes, is renewed by who has it, and ends by them alone [review-queue-6, review-queue-7]', async () => {
  const { fill, me } = await newCompany(2);
  const [id = ''] = await fill(1);
  const other = users[1] as User;
  const asked = Date.now();
  const first = await claim(me.api, id);
  assert.equal([first.status, first.body.userId], [200, me.userId]);
  const isTwoMinutes = (until: string, last: number): boolean => {
    const from = Date.parse(until) - 120_000;
    // By the clock of the store, in whole milliseconds.
    return asked - 10 <= from && from <= last + 10;
  };
  const answered = Date.now();
  assert.ok(isTwoMinutes(first.body.until, answered), first.body.until);
  const refused = await claim(other.api, id);
  assert.equal([refused.status, refused.body.code, refused.body.retryable], [409, 'claimed', false]);
  assert.is(refused.body.claim.userId, me.userId);
  assert.ok(isTwoMinutes(refused.body.claim.until, Date.now()), refused.body.claim.until);
  assert.is((await release(other.api, id)).status, 204);
  assert.is((await claim(other.api, id)).status, 409, 'somebody else ended it');
  const renewed = await claim(await me.session(), id);
  assert.equal([renewed.status, renewed.body.until >= first.body.until], [200, true]);
  const seen = async () => (await other.api.get(QUEUE)).body.data[0].claim;
  assert.equal(await seen(), { userId: me.userId });
  assert.is((await release(me.api, id)).status, 204);
  assert.is(await seen(), null);
  assert.is((await release(me.api, id)).status, 204);
  assert.is((await claim(other.api, id)).body.userId, other.userId);
});

test('only what is in review can be claimed, and a decision ends the claim of who made it [review-queue-6]', async () => {
  const { fill, me, api } = await newCompany(2);
  const [first = '', second = ''] = await fill(2);
  await claim(me.api, first);
  await claim(me.api, second);
  assert.is(
    (await decide(users[1]?.api as Client, second, 'reject')).status,
    200,
    'a claim keeps nobody from it',
  );
  await decide(me.api, first, 'approve');
  for (const [id, status] of [
    [first, 'approved'],
    [second, 'rejected'],
  ] as const) {
    const { status: code, body } = await claim(me.api, id);
    assert.equal([code, body.code, body.currentStatus], [409, 'submission-not-in-review', status]);
    assert.equal(body.allowedFrom, ['review']);
  }
  const created = (await api.open([])).submissionId;
  assert.is((await claim(me.api, created)).body.currentStatus, 'created');
});

test('the next one is the first that nobody has, and that was not passed over [review-queue-8]', async () => {
  const { fill, put, me } = await newCompany(2);
  const ids = await fill(3);
  const risky = await put({ company: 'ACME 1' });
  const other = users[1] as User;
  await claim(other.api, ids[0] ?? '');
  const one = await next(me.api);
  assert.equal([one.status, one.body.id, one.body.claim.userId], [200, ids[1], me.userId]);
  const { claim: _, ...row } = one.body;
  const { data } = (await me.api.get(QUEUE)).body;
  const { claim: shown, ...listed } = data.find(({ id }: Row) => id === ids[1]);
  assert.equal([row, shown], [listed, { userId: me.userId }]);
  assert.is((await next(me.api, { after: [ids[2]], order: 'riskiest' })).body.id, risky);
  assert.is((await next(other.api, { after: [ids[2]] })).status, 204);
  assert.is((await next(other.api, { workflow: 'invoice' })).status, 204);
  assert.is((await next(other.api, { reason: 'missing_required' })).status, 204);
  assert.is((await next(other.api, { fraudStatus: 'flagged' })).status, 204);
  assert.is((await next(other.api, { order: null, after: null, workflow: '' })).body.id, ids[2]);
  assert.is((await next(me.api)).status, 204);
  await release(other.api, ids[2] ?? '');
  assert.is((await next(me.api)).body.id, ids[2]);
  for (const [body, pointer] of [
    [{ order: 'newest' }, '/order'],
    [{ after: 'all' }, '/after'],
    [{ after: ['ses_1'] }, '/after/0'],
    [{ after: Array.from({ length: 1_001 }, () => ids[0]) }, '/after'],
    [{ claimed: 'mine' }, '/claimed'],
  ] as const) {
    const { status, body: problem } = await next(me.api, body);
    assert.equal([status, problem.errors?.[0]?.pointer], [422, pointer]);
  }
});

test('what waits for a second person is not the next one of the first [review-queue-8]', async () => {
  const { id: companyId, me } = await newCompany(2);
  const slug = 'pairs';
  await service.publish({ ...always, slug, processing: { review: 'always', fourEyes: ['approved'] } });
  await service.intake('workflow', 'assign', slug, '--company', companyId);
  const key = (await service.key(companyId)).api;
  const { submissionId } = await key.process([receiptText()], {}, slug);
  assert.is((await next(me.api)).body.id, submissionId);
  assert.is((await decide(me.api, submissionId, 'approve')).body.submissionStatus, 'review');
  const other = users[1] as User;
  const [{ firstDecision }] = (await other.api.get(QUEUE)).body.data;
  assert.equal([firstDecision.outcome, firstDecision.by], ['approved', `user:${me.userId}`]);
  assert.is((await next(me.api)).status, 204);
  const taken = await eventually('the claim of the first has ended', async () => {
    const answer = await next(other.api);
    return answer.status === 200 ? answer : null;
  });
  assert.equal([taken.body.id, taken.body.firstDecision], [submissionId, firstDecision]);
});

test('the queue of a company and mode is its own [visibility-1, people-5]', async () => {
  const { fill, me, id: companyId } = await newCompany();
  const [id = ''] = await fill(1);
  const stranger = (await service.company(always)).api;
  const inTest = (await service.key(companyId, 'test')).api;
  for (const api of [stranger, inTest]) {
    const { body } = await api.get(QUEUE);
    assert.equal([body.data, body.counts.waiting], [[], 0]);
  }
  const testMode = { headers: { 'intake-mode': 'test' } };
  assert.is((await me.api.post(`${QUEUE}/next`, {}, testMode)).status, 204);
  assert.is((await me.api.post(`/api/v1/submissions/${id}/claim`, {}, testMode)).status, 404);
  const auditor = await people.user(companyId, 'auditor');
  assert.equal(await list(auditor.api), [id]);
  assert.is((await next(auditor.api)).body.code, 'role-required');
});

const ROUNDS = rounds(3, 1_000);

test(
  `of six people who ask for the next at once no two get the same: ${ROUNDS} rounds [review-queue-9]`,
  async () => {
    const { fill, api } = await newCompany(6);
    const ids = await fill(8);
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(users.map((user) => next(user.api)));
      const got = answers.map(({ status, body }) => (status === 200 ? body.id : null));
      assert.equal([...new Set(got)].sort(), ids.slice(0, 6), `round ${round}`);
      const claims = (await api.get(`${QUEUE}?limit=100`)).body.data.map(
        ({ claim: one }: Row) => one?.userId ?? null,
      );
      const expected = ids.map((id) => users[got.indexOf(id)]?.userId ?? null);
      assert.equal(claims, expected);
      await Promise.all(users.map((user, n) => release(user.api, got[n] ?? '')));
    }
  },
  { timeoutMs: 60_000 + ROUNDS * 2_000 },
);

test(
  'of people who decide and take the next at once nobody gets what is decided [review-queue-9]',
  async () => {
    const { fill, api } = await newCompany(4);
    const ids = await fill(rounds(12, 200));
    const cleared: string[] = [];
    const work = async (user: User): Promise<void> => {
      for (;;) {
        const { status, body } = await next(user.api);
        if (status === 204) return;
        const { status: code, text } = await decide(user.api, body.id, 'approve');
        assert.is(code, 200, text);
        cleared.push(body.id);
      }
    };
    await Promise.all(users.map(work));
    assert.equal(cleared.toSorted(), ids.toSorted());
    assert.equal((await api.get(QUEUE)).body.counts, none);
  },
  { timeoutMs: 600_000 },
);

const tagOf = async (api: Client, query = ''): Promise<string> =>
  (await api.get(`${QUEUE}?${query}`)).headers.get('etag') ?? '';
const waitFor = async (api: Client, tag: string, seconds: number, query = '') => {
  const started = performance.now();
  const answer = await api.get(`${QUEUE}?wait=${seconds}&${query}`, { headers: { 'if-none-match': tag } });
  return { answer, ms: performance.now() - started };
};

test('a client that waits is answered as soon as something changes, else with a 304 in the end [review-queue-4]', async () => {
  const { fill, put, me, api } = await newCompany();
  await fill(1);
  const tag = await tagOf(me.api);
  const late = await waitFor(me.api, tag, 1);
  assert.equal([late.answer.status, late.answer.headers.get('etag')], [304, tag]);
  assert.ok(late.ms >= 950, `${late.ms}`);
  assert.is(
    (await waitFor(me.api, '"other"', 25)).answer.status,
    200,
    'who has another one waits for nothing',
  );
  assert.is((await me.api.get(`${QUEUE}?wait=25`)).status, 200);
  const changes = [
    async () => void (await put({ company: 'NEW' })),
    async () => void (await claim(me.api, (await list(api))[0] ?? '')),
    async () => void (await release(me.api, (await list(api))[0] ?? '')),
    async () => void (await decide(api, (await list(api))[0] ?? '', 'approve')),
  ];
  for (const [n, change] of changes.entries()) {
    const before = await tagOf(me.api);
    const waiting = waitFor(me.api, before, 25);
    await change();
    const { answer } = await waiting;
    assert.is(answer.status, 200, `change ${n}`);
    assert.is.not(answer.headers.get('etag'), before);
    assert.is(await tagOf(me.api), answer.headers.get('etag'), `change ${n}: it is the newest`);
  }
});

test('what changes elsewhere in the queue, or in another company, wakes nobody [review-queue-4]', async () => {
  const { put, me } = await newCompany();
  await put({ company: 'FIRST' });
  const tag = await tagOf(me.api, 'workflow=receipt&limit=1&claimed=none');
  const stranger = await newCompany();
  const waiting = waitFor(me.api, tag, 2, 'workflow=receipt&limit=1&claimed=none');
  await stranger.put({ company: 'OTHER' });
  assert.equal([(await waiting).answer.status, (await waiting).ms >= 1_900], [304, true]);
});

test('what another process commits or claims is seen as well [review-queue-4]', async () => {
  const { fill, me, id: companyId } = await newCompany(2);
  const [id = ''] = await fill(1);
  const other = users[1] as User;
  const core = await openCore(service.config);
  const waiting = waitFor(me.api, await tagOf(me.api), 25);
  await core.claims.take({ companyId, mode: 'live', submissionId: id }, other.userId);
  const { answer } = await waiting;
  assert.equal([answer.status, answer.body.data[0].claim], [200, { userId: other.userId }]);
  const tag = await tagOf(me.api);
  await reviewSubmission(core)(id, { type: 'Reject', reason: null, actor: null }, context);
  // Rows and counts are two read models, which MongoDB has one after the other.
  const seen = async (before: string): Promise<void> => {
    const { answer: next } = await waitFor(me.api, before, 25);
    assert.is(next.status, 200);
    if (next.body.data.length > 0) await seen(next.headers.get('etag') ?? '');
  };
  await seen(tag);
  await core.close();
});

test('four requests of a person wait at once, one more is refused, and who has gone waits no longer [review-queue-5]', async () => {
  const { fill, me, api } = await newCompany(2);
  await fill(1);
  const tag = await tagOf(me.api);
  const leaving = new AbortController();
  const headers = { 'if-none-match': tag, authorization: `Bearer ${await tokenOf(me)}` };
  const gone = keepWaiting(4, `${service.url}${QUEUE}?wait=25`, { headers, signal: leaving.signal });
  const refused = await eventually('they wait', async () => {
    const answer = await api.get(QUEUE);
    assert.is(answer.status, 200);
    const { answer: more } = await waitFor(me.api, tag, 1);
    return more.status === 429 ? more : null;
  });
  assert.equal([refused.body.code, refused.headers.get('retry-after')], ['rate-limited', '1']);
  assert.is((await waitFor(users[1]?.api as Client, tag, 1)).answer.status, 304, 'another person may');
  leaving.abort();
  await gone;
  await eventually(
    'their places are free',
    async () => (await waitFor(me.api, tag, 1)).answer.status === 304,
  );
});

const tokenOf = async (user: User): Promise<string> => {
  const { body } = await people.logIn(user.email);
  return body.token;
};

test('who may read it no more while waiting is told nothing of it [review-queue-4, people-2]', async () => {
  const { fill, put, me } = await newCompany(2);
  await fill(1);
  const other = users[1] as User;
  const tag = await tagOf(me.api);
  // One is too many: once it is refused, the others wait.
  const waits = Array.from({ length: 5 }, () => waitFor(me.api, tag, 25));
  assert.is((await Promise.race(waits)).answer.status, 429);
  await people.disable(me.userId);
  await put({ company: 'UNTOLD' });
  const answers = (await Promise.all(waits)).map(({ answer }) => answer);
  assert.equal(answers.map(({ status }) => status).sort(), [401, 401, 401, 401, 429]);
  for (const { text } of answers) assert.not.ok(text.includes('UNTOLD'));
  const late = waitFor(other.api, await tagOf(other.api), 2);
  await other.api.post('/api/auth/sessions/end-all');
  assert.is((await late).answer.status, 401, 'nor that nothing has changed');
});

test('a stop ends all waits at once [review-queue-5]', async () => {
  const own = await startService();
  const company = await own.company(always);
  const tag = await tagOf(company.api);
  const keys = await Promise.all(Array.from({ length: 3 }, () => own.key(company.id)));
  const waits = keys.map(({ key }) => [1, 2, 3, 4, 5].map(() => waitFor(client(own.url, key), tag, 25)));
  // One of each is too many: once it is refused, the others wait.
  for (const one of waits) assert.is((await Promise.race(one)).answer.status, 429);
  const closing = own.close();
  // A wait that the stop had not ended would have been cut off, without an answer.
  const statuses = (await Promise.all(waits.flat())).map(({ answer }) => answer.status);
  assert.equal(statuses.sort(), [...Array(12).fill(304), 429, 429, 429]);
  await closing;
});

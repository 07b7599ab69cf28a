import * as assert from 'uvu/assert';
import { type Client, client, type Reply, receiptText } from '../support/client.ts';
import { sendFile } from '../support/sendFile.ts';
import type { Cluster, Node } from './cluster.ts';
import type { Random } from './random.ts';

/** A submission that some node has acknowledged, and what was done with it. */
export type Acknowledged = {
  sessionId: string;
  submissionId: string;
  clientSubmissionId: string;
  batchRef: string;
  kind: Kind;
  isSubmitted: boolean;
  /** The statuses that two reviewers got who decided at once, each on a node of his own. */
  decisions: readonly number[];
};

const KINDS = ['plain', 'plain', 'review', 'fraud', 'cancel'] as const;
export type Kind = (typeof KINDS)[number];

type World = Readonly<{ cluster: Cluster; key: string; random: Random; receiverUrl: string }>;

/** How many sessions a batch has. */
const BATCH = 4;
/**
 * A held answer gives up waiting for the read models after two seconds; one that came sooner has seen its
 * event in them.
 */
const HELD_MS = 1_800;
const PATIENCE_MS = 60_000;

/**
 * Mixed load on all nodes: each call goes to any of them, and again to another one until it is acknowledged.
 */
export const createLoad = ({ cluster, key, random, receiverUrl }: World) => {
  const acknowledged: Acknowledged[] = [];
  const seen = { reads: 0, askedAgain: 0 };
  let named = 0;

  const clientOf = ({ url }: Node): Client => client(url, key);
  const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

  /**
   * Sends a request until a node answers it. What the network loses, 503 and a request under way elsewhere
   * are no answers.
   */
  const insist = async (send: (api: Client) => Promise<Reply>) => {
    const end = performance.now() + PATIENCE_MS;
    let last = '';
    while (performance.now() < end) {
      const up = cluster.up();
      if (up.length > 0) {
        const node = random.pick(up);
        const started = performance.now();
        try {
          const reply = await send(clientOf(node));
          if (reply.status !== 503 && reply.body?.code !== 'idempotency-key-in-use')
            return { reply, node, took: performance.now() - started };
          last = reply.text;
          seen.askedAgain += 1;
        } catch (error) {
          // Only the network may fail: a wrong answer is a defect.
          if (!(error instanceof TypeError)) throw error;
          last = String(error.cause ?? error);
        }
      }
      await rest();
    }
    throw new Error(`no node answered within ${PATIENCE_MS} ms: ${last}`);
  };
  const post = async (path: string, body: object, idempotencyKey: string) => {
    const headers = { 'idempotency-key': idempotencyKey };
    return insist((api) => api.post(path, body, { headers }));
  };
  /**
   * Another node shows at once what one has acknowledged, unless that one had waited in vain for the read
   * models.
   */
  const seenElsewhere = async (
    { node, took }: Readonly<{ node: Node; took: number }>,
    path: string,
    shows: (reply: Reply) => boolean,
  ): Promise<void> => {
    const others = cluster.up().filter((one) => one !== node);
    if (took > HELD_MS || others.length === 0) return;
    const other = random.pick(others);
    try {
      const reply = await clientOf(other).get(path);
      if (reply.status === 503) return;
      assert.ok(shows(reply), `${node.name} acknowledged it, ${other.name} does not show it: ${reply.text}`);
      seen.reads += 1;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  };

  /**
   * Opens a session on a node and asks the others for it; whether the answer came so soon that they must show
   * it.
   */
  const seenEverywhere = async (node: Node, others: readonly Node[]): Promise<boolean> => {
    const started = performance.now();
    const { status, body, text } = await clientOf(node).post('/api/v1/workflows/receipt/sessions');
    if (status !== 201 || performance.now() - started > HELD_MS) return false;
    const replies = await Promise.all(others.map((other) => clientOf(other).job(body)));
    assert.equal(
      replies.map((reply) => reply.status),
      others.map(() => 200),
      text,
    );
    return true;
  };
  const openSession = async (kind: Kind): Promise<Acknowledged> => {
    named += 1;
    const clientSubmissionId = `order-${named}`;
    const batchRef = `batch-${Math.ceil(named / BATCH)}`;
    const webhookUrl = `${receiverUrl}/${clientSubmissionId}`;
    const path = `/api/v1/workflows/${slugOf(kind)}/sessions`;
    const opened = await post(path, { clientSubmissionId, batchRef, webhookUrl }, `open-${named}`);
    const { status, body, text } = opened.reply;
    assert.is(status, 201, text);
    const { sessionId, submissionId, uploads } = body;
    const made = {
      sessionId,
      submissionId,
      clientSubmissionId,
      batchRef,
      kind,
      isSubmitted: false,
      decisions: [],
    };
    acknowledged.push(made);
    await seenElsewhere(opened, `/api/v1/jobs/${sessionId}`, (reply) => reply.status === 200);
    if (kind !== 'cancel') await upload(uploads[0], contentOf(kind, named));
    return made;
  };
  const submit = async (made: Acknowledged): Promise<void> => {
    const path = `/api/v1/workflows/${slugOf(made.kind)}/sessions/${made.sessionId}/submit`;
    const submitted = await post(path, {}, `submit-${made.clientSubmissionId}`);
    assert.is(submitted.reply.status, 202, submitted.reply.text);
    made.isSubmitted = true;
    await seenElsewhere(
      submitted,
      `/api/v1/jobs/${made.sessionId}`,
      ({ status, body }) => status === 200 && body.state !== 'pending',
    );
  };
  const cancel = async (made: Acknowledged): Promise<void> => {
    const path = `/api/v1/submissions/${made.submissionId}`;
    const cancelled = await post(`${path}/cancel`, {}, `cancel-${made.clientSubmissionId}`);
    assert.is(cancelled.reply.status, 200, cancelled.reply.text);
    await seenElsewhere(cancelled, path, ({ body }) => body?.submissionStatus === 'cancelled');
  };
  /** Two reviewers decide at once; each repeats his request until it is answered. */
  const decide = async (made: Acknowledged): Promise<void> => {
    const path = `/api/v1/submissions/${made.submissionId}`;
    const decided = await Promise.all(
      ['approve', 'reject'].map((what) => post(`${path}/${what}`, {}, `${what}-${made.clientSubmissionId}`)),
    );
    made.decisions = decided.map(({ reply }) => reply.status);
  };
  /** Its job; null as long as the read models don't show it. */
  const jobOf = async ({ sessionId }: Acknowledged) => {
    const { reply } = await insist((api) => api.job({ sessionId }));
    if (reply.status === 404) return null;
    assert.is(reply.status, 200, reply.text);
    return reply.body;
  };
  const untilProcessed = async (made: Acknowledged): Promise<string> => {
    for (const end = performance.now() + PATIENCE_MS; ; await rest()) {
      const job = await jobOf(made);
      if (['completed', 'failed', 'cancelled'].includes(job?.state)) return job.submissionStatus;
      if (performance.now() > end)
        throw new Error(`${made.submissionId} is ${job?.state} after ${PATIENCE_MS} ms`);
    }
  };
  const integrate = async (): Promise<void> => {
    const made = await openSession(random.pick(KINDS));
    if (made.kind === 'cancel') return cancel(made);
    await submit(made);
    if (made.kind === 'review' && (await untilProcessed(made)) === 'review') await decide(made);
  };
  return {
    acknowledged: acknowledged as readonly Acknowledged[],
    seen,
    insist,
    jobOf,
    seenEverywhere,
    untilProcessed,
    /** So many integrations, each doing one thing after the other until told to stop. */
    run: async (clients: number, isStopped: () => boolean): Promise<void> => {
      const one = async (): Promise<void> => {
        while (!isStopped()) await integrate();
      };
      await Promise.all(Array.from({ length: clients }, one));
    },
  };
};
export type Load = ReturnType<typeof createLoad>;

const slugOf = (kind: Kind): string => (kind === 'fraud' ? 'checked' : 'receipt');

/** What a submission of this kind holds; those of `fraud` come in pairs of the same data. */
const contentOf = (kind: Kind, number: number) => {
  if (kind === 'review') return receiptText({ company: undefined, total: number });
  return receiptText({ total: kind === 'fraud' ? Math.floor(number / 8) : number });
};

const upload = async (
  to: Parameters<typeof sendFile>[0],
  { content, mimeType }: ReturnType<typeof contentOf>,
): Promise<void> => {
  const put = await sendFile(to, content, mimeType);
  assert.is(put.status, 200, await put.text());
};

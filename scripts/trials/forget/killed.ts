import { createPlants, type Plants } from './planted.ts';
import { type Caller, type Subject, submitted, until } from './subjects.ts';

/** The request of each redaction. */
export const REQUEST = { reason: 'article 17', legalBasis: 'erasure_request', requestedBy: 'ticket 4711' };

/** Waits until a redaction is done. */
export const redacted = (key: Caller, { submissionId }: Subject): Promise<true> =>
  until(`the redaction of ${submissionId}`, async () => {
    const { redaction } = await key.get(`/api/v1/submissions/${submissionId}`);
    return redaction === 'done';
  });

/** Whom a redaction within which the service is killed needs. */
export type Callers = Readonly<{ key: Caller; administrator: Caller; anybody: Caller; hooks: string }>;

/** Something that is redacted by one request, which may be repeated, and waited for. */
export type Victim = Readonly<{
  plants: Plants;
  subjects: readonly Subject[];
  request(): Promise<unknown>;
  done(): Promise<unknown>;
}>;

/** A submission, with a batch of its own. */
const one = async ({ key, hooks }: Callers): Promise<Victim> => {
  const plants = createPlants();
  const input = { address: hooks, batchRef: plants.text('batchRef') };
  const subject = await submitted(key, plants, 'killed', input);
  return {
    ...{ plants, subjects: [subject] },
    request: () => key.post(`/api/v1/submissions/${subject.submissionId}/redact`, REQUEST),
    done: () => redacted(key, subject),
  };
};

/** All submissions of a person, which are a batch. */
const several = async ({ key, hooks }: Callers): Promise<Victim> => {
  const plants = createPlants();
  const customer = plants.text('customer');
  const input = { address: hooks, batchRef: plants.text('batchRef'), metadata: { customer } };
  const subjects = [
    await submitted(key, plants, 'killed: first', input),
    await submitted(key, plants, 'killed: second', input),
  ];
  return {
    ...{ plants, subjects },
    request: () => key.post('/api/v1/redactions', { ...REQUEST, metadata: `customer=${customer}` }),
    done: async () => {
      for (const subject of subjects) await redacted(key, subject);
    },
  };
};

const PASSWORD = 'correct horse battery staple';

/** Somebody who was invited, has logged in, and is disabled; the invitation is redacted with the person. */
const person = async ({ administrator, anybody }: Callers): Promise<Victim> => {
  const plants = createPlants();
  const email = `${plants.text('e-mail')}@example.com`;
  const { url } = await administrator.post('/api/v1/invitations', { email, role: 'reviewer' });
  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token');
  const body = { token, password: PASSWORD, name: plants.text('name') };
  const { userId } = await anybody.post('/api/invitation/complete', body);
  await anybody.post('/api/auth/sessions', { email, password: PASSWORD });
  await administrator.post(`/api/v1/people/${userId}/disable`);
  const redact = () => administrator.post(`/api/v1/people/${userId}/redact`, REQUEST);
  // The answer says that it is done: asked again, it is the same.
  return { plants, subjects: [], request: redact, done: redact };
};

/** What is redacted, by turns. */
export const victims = { one, several, person } as const;

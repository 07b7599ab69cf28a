import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type Recorded, withoutPrivate } from '../../kernel/event.ts';
import { allProjections } from '../../projections/all.ts';
import { foldEvent, handledBy, type Projection } from '../../projections/engine/projection.ts';
import { batchLogs } from '../controls/histories.ts';
import { drawSeed, rounds, suite } from '../harness.ts';

const test = suite('redaction of read models');

type Documents = Map<string, unknown>;

/** The documents of a projection after one more event. */
const fold = (projection: Projection, documents: Documents, event: Recorded): void => {
  if (!handledBy(projection).includes(event.type)) return;
  for (const key of projection.keys(event)) {
    const after = foldEvent(projection.on, documents.get(key) ?? null, event, key);
    if (after === null) documents.delete(key);
    else documents.set(key, after);
  }
};

const submissionOf = ({ data }: Recorded): string => (data as { submissionId: string }).submissionId;

/** Whether the documents of a log are those of the same log without the keys of what was redacted first. */
const holds = (projection: Projection, events: readonly Recorded[]): void => {
  const request = events.find(({ type }) => type === 'SubmissionRedactionRequested');
  if (!request) return;
  const [open, redacted]: [Documents, Documents] = [new Map(), new Map()];
  for (const event of events) {
    fold(projection, open, event);
    const isRedacted = submissionOf(event) === submissionOf(request);
    fold(projection, redacted, isRedacted ? withoutPrivate(event) : event);
    if (event.position >= request.position)
      assert.equal(
        Object.fromEntries(open),
        Object.fromEntries(redacted),
        `${projection.name}: ${event.type}`,
      );
  }
};

const SEED = drawSeed('logs redacted');

for (const projection of allProjections)
  test(`from the request on ${projection.name} is as without the keys [redaction-3]`, () => {
    const property = fc.property(batchLogs, (events) => holds(projection, events));
    fc.assert(property, { numRuns: rounds(300, 3_000), seed: SEED });
  });

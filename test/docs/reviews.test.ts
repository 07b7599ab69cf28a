import { examples, logged } from '../controls/events.ts';
import { type Stores, temporaryStores } from '../controls/stores.ts';
import { routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from '../projections/spec.ts';
import { reviews } from './reviews.ts';

const test = suite('projection of reviews');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());
const { SubmissionApproved, SubmissionRejected } = examples;

test('approvals and rejections are counted by key', () =>
  given(reviews, logged([SubmissionApproved, SubmissionRejected, SubmissionApproved]), () => stores).then({
    [routing.keyId]: { id: routing.keyId, approved: 2, rejected: 1 },
  }));

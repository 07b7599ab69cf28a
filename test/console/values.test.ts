import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { fraudStatuses } from '../../domain/submission/fraud.ts';
import { submissionEvents } from '../../domain/submission/state.ts';
import { statuses } from '../../domain/submission/transitions.ts';
import { deliveryStatuses } from '../../domain/webhookDelivery.ts';
import { publicName } from '../../kernel/event.ts';
import { roles } from '../../kernel/scope.ts';
import { allProjections, queues } from '../../projections/all.ts';
import { suite } from '../harness.ts';

const test = suite('console: a text for each value');

const texts = JSON.parse(readFileSync('console/texts.en.json', 'utf8'));

const lists: readonly (readonly [string, readonly string[], object])[] = [
  ['status', statuses, texts.statuses],
  ['fraud status', fraudStatuses, texts.fraudStatuses],
  ['status of a delivery', deliveryStatuses, texts.deliveries.statuses],
  ['role', roles, texts.roles],
  ['role in full', roles, texts.people.rolesMay],
  ['event of a submission', Object.keys(submissionEvents).map(publicName), texts.timeline.types],
  ['queue', Object.keys(queues), texts.operations.queues.names],
  ['read model', allProjections.map(({ name }) => name), texts.operations.readModels.about],
];
for (const [name, values, words] of lists)
  test(`each ${name} has its text, and each text its ${name}`, () =>
    assert.equal(Object.keys(words).sort(), [...values].sort()));

import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { activityTypes } from '../../domain/activity.ts';
import { INVITATION_HOURS } from '../../domain/invitation.ts';
import { EXTENDED } from '../../domain/retrySchedule.ts';
import { fraudStatuses } from '../../domain/submission/fraud.ts';
import { type SubmissionEvent, submissionEvents } from '../../domain/submission/state.ts';
import { statuses } from '../../domain/submission/transitions.ts';
import { deliveryStatuses } from '../../domain/webhookDeliveryEvents.ts';
import { publicName, type Recorded } from '../../kernel/event.ts';
import { companyRoles, roles } from '../../kernel/scope.ts';
import { allProjections, queues } from '../../projections/all.ts';
import { historyItem } from '../../projections/history.ts';
import { examples, logged, variants } from '../controls/events.ts';
import { suite } from '../harness.ts';

const test = suite('console: a text for each value');

const texts = JSON.parse(readFileSync('console/texts.en.json', 'utf8'));

const TEXTS = ['en', 'de', 'fr'].map((language) =>
  JSON.parse(readFileSync(`console/texts.${language}.json`, 'utf8')),
);

test('the texts of each language say how long retries go on, and an invitation can be used', () => {
  for (const { endpoints, people } of TEXTS) {
    const numbers = (text: string): readonly number[] => (text.match(/\d+/g) ?? []).map(Number);
    assert.equal(numbers(endpoints.scheduleHint), [EXTENDED.attempts - 1, EXTENDED.hours]);
    assert.equal(numbers(people.emailHint), [INVITATION_HOURS]);
  }
});

test('the texts of each language name the roles of a company, the first that counts first', () => {
  for (const { companyLogIn, roles: names } of TEXTS) {
    const places = companyRoles.map((role) =>
      companyLogIn.mapText.toLowerCase().indexOf(names[role].toLowerCase()),
    );
    assert.not.ok(places.includes(-1), names.org_admin);
    assert.equal(
      places,
      places.toSorted((one, other) => one - other),
    );
  }
});

test('each detail of an event of a submission has its name, or is not told', () => {
  const source = readFileSync('console/screens/submission/eventDetails.tsx', 'utf8');
  const [, quiet = ''] = /QUIET = (\[.*\])/.exec(source) ?? [];
  const told = logged(Object.values({ ...examples, ...variants }))
    .filter((event): event is Recorded<SubmissionEvent> => event.type in submissionEvents)
    .flatMap((event) => Object.keys(historyItem(event).details ?? {}))
    .filter((name) => !quiet.includes(`'${name}'`));
  const without = new Set(told.filter((name) => !Object.hasOwn(texts.timeline.names, name)));
  assert.equal([...without], []);
});

const lists: readonly (readonly [string, readonly string[], object])[] = [
  ['status', statuses, texts.statuses],
  ['fraud status', fraudStatuses, texts.fraudStatuses],
  ['status of a delivery', deliveryStatuses, texts.deliveries.statuses],
  ['role', roles, texts.roles],
  ['role in full', roles, texts.people.rolesMay],
  ['event of a submission', Object.keys(submissionEvents).map(publicName), texts.timeline.types],
  ['activity', activityTypes, texts.activity.types],
  ['queue', Object.keys(queues), texts.operations.queues.names],
  ['read model', allProjections.map(({ name }) => name), texts.operations.readModels.about],
];
for (const [name, values, words] of lists)
  test(`each ${name} has its text, and each text its ${name}`, () =>
    assert.equal(Object.keys(words).sort(), [...values].sort()));

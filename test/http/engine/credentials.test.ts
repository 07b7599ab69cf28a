import * as assert from 'uvu/assert';
import { credentialFault, metricsToken, sessionToken } from '../../../http/engine/access/credentials.ts';
import { suite } from '../../harness.ts';

const test = suite('what is said of a missing credential [keys-2]');

const key = `aok_${'a1'.repeat(32)}`;
const session = `ast_${'Ab'.repeat(21)}9`;

test('where people call: a session token is expected', () => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'no Authorization header'],
    [`Basic ${session}`, 'the scheme Basic'],
    [session, 'no scheme: `Bearer` and a space are missing'],
    [`Bearer ${key}`, 'an API key (`aok_…`) in the place of a session token'],
    ['Bearer secret', 'a token that does not begin with `ast_`'],
    [`Bearer ${session}x`, '44 characters after `ast_`'],
    [`Bearer ${session.slice(0, -1)}!`, 'characters in it that never occur there'],
    [`Bearer ${session}`, 'a token of that form, and it is not known here, or its session has ended'],
  ];
  for (const [header, said] of cases)
    assert.is(
      credentialFault(sessionToken, header === undefined ? {} : { authorization: header }),
      `Send \`Authorization: Bearer ast_<43 characters>\`. This request has ${said}.`,
    );
});

test('where the operator calls: METRICS_TOKEN is expected, not a key', () => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'no Authorization header'],
    [`Bearer ${key}`, 'another token than that of the setting METRICS_TOKEN'],
  ];
  for (const [header, said] of cases)
    assert.is(
      credentialFault(metricsToken, header === undefined ? {} : { authorization: header }),
      `Send \`Authorization: Bearer <METRICS_TOKEN>\`. This request has ${said}.`,
    );
});

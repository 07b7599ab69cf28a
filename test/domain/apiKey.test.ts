import * as assert from 'uvu/assert';
import { apiKey, apiKeyStream } from '../../domain/apiKey.ts';
import { examples } from '../controls/events.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('apiKey');
const { ApiKeyCreated: created, ApiKeyRevoked: revoked, ApiKeyRotated: rotated } = examples;
const create = { type: 'CreateApiKey', ...created.data } as const;
const revoke = { type: 'RevokeApiKey' } as const;

test('a key is created', () => given(apiKey).when(create).then(created));
test('a key of no company is created too', () => {
  const data = { ...created.data, companyId: null };
  given(apiKey)
    .when({ type: 'CreateApiKey', ...data })
    .then({ type: 'ApiKeyCreated', data });
});
test('an identifier is used once', () => {
  given(apiKey, created).when(create).thenRefused('ApiKeyExists');
  given(apiKey, created, revoked).when(create).thenRefused('ApiKeyExists');
});
test('a key is revoked, and its event names its scope', () => {
  given(apiKey, created).when(revoke).then(revoked);
  assert.is(given(apiKey, created, revoked).state?.revoked, true);
});
test('revoking again changes nothing', () => given(apiKey, created, revoked).when(revoke).then());
const { newKeyId, expiresAt } = rotated.data;
const rotate = { type: 'RotateApiKey', newKeyId, expiresAt, at: '2026-11-22T09:59:59.999Z' } as const;

test('a key is rotated once, and names its successor', () => {
  given(apiKey, created).when(rotate).then(rotated);
  given(apiKey, created, rotated).when(rotate).thenRefused('ApiKeyIsRotated');
  given(apiKey, created, revoked).when(rotate).thenRefused('ApiKeyIsRevoked');
  given(apiKey).when(rotate).thenRefused('ApiKeyNotFound');
  given(apiKey, created, rotated).when(revoke).then(revoked);
});
test('a key that is rotated without an overlap is revoked too', () =>
  given(apiKey, created)
    .when({ ...rotate, at: expiresAt })
    .then(rotated, revoked));
test('an unknown key is not revoked', () => void given(apiKey).when(revoke).thenRefused('ApiKeyNotFound'));
test('its stream is named by it', () => {
  assert.is(apiKeyStream('key_x'), 'apiKey-x');
  assert.is(apiKey.subject(created), null);
});

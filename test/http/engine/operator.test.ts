import type { IncomingMessage } from 'node:http';
import * as assert from 'uvu/assert';
import { isOperator } from '../../../http/engine/access/admit.ts';
import { suite } from '../../harness.ts';

const test = suite('the operator');
const token = 'a-token-of-sixteen';

const from = (remoteAddress: string | undefined, headers: Readonly<Record<string, string>> = {}) =>
  ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage;

const refusal = (request: IncomingMessage): string | null => {
  try {
    isOperator(request, null);
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
};

test('without a token requests from the same machine pass', () => {
  for (const address of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])
    assert.is(refusal(from(address)), null, address);
});

test('without a token requests from elsewhere are refused, whatever their headers say [operations-13]', () => {
  for (const address of ['10.0.0.1', '192.168.1.1', '::ffff:10.0.0.1', '2001:db8::1', '1.2.3.127', undefined])
    for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }, { host: 'localhost' }])
      assert.is(refusal(from(address, headers)), 'local-only', String(address));
});

test('without a token what a proxy on the same machine has passed on is refused', () => {
  for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'])
    assert.is(refusal(from('127.0.0.1', { [name]: '127.0.0.1' })), 'local-only', name);
});

test('with a token only those pass that bear it, wherever they come from [operations-13]', () => {
  const bears = (authorization: string) => isOperator(from('10.0.0.1', { authorization }), token);
  assert.ok(bears(`Bearer ${token}`) && bears(`bearer  ${token}`));
  for (const wrong of ['', 'Bearer', token, `Basic ${token}`, `Bearer ${token}x`, `Bearer ${token.slice(1)}`])
    assert.not.ok(bears(wrong), wrong);
  assert.not.ok(isOperator(from('127.0.0.1'), token));
});

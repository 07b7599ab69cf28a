import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { readPublicKey, signingKey } from '../../evidence/keys.ts';
import { suite } from '../harness.ts';

const test = suite('evidence: keys [audit-2]');

// RFC 8032, section 7.1, test 2.
const seed = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
const point = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';
const signature =
  '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';

test('a seed makes the key and signs as RFC 8032 has it', () => {
  const { publicKey, sign } = signingKey(seed);
  const der = Buffer.from(`302a300506032b6570032100${point}`, 'hex');
  assert.is(publicKey.id, createHash('sha256').update(der).digest('hex').slice(0, 16));
  assert.is(sign(Buffer.of(0x72)).toString('hex'), signature);
  assert.ok(publicKey.holds(Buffer.of(0x72), Buffer.from(signature, 'hex')));
  assert.not(publicKey.holds(Buffer.of(0x73), Buffer.from(signature, 'hex')));
});

test('a public key is read from its PEM and from what stands in it; secret ones and others are not', () => {
  const { pem, id } = signingKey(seed).publicKey;
  const bare = pem.split('\n')[1] ?? '';
  for (const text of [pem, `evidence of ACME\n${pem}\n`, bare, `${bare}\n`, pem.replaceAll('\n', '\r\n')])
    assert.is(readPublicKey(text)?.id, id);
  const rsa =
    'MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit+CqvjWYzvQwECAwEAAQ==';
  for (const text of ['', 'key', seed.toString('base64'), rsa, Buffer.alloc(44).toString('base64')])
    assert.is(readPublicKey(text), null, text);
});

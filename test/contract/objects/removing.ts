import * as assert from 'uvu/assert';
import { systemIds } from '../../../kernel/ids.ts';
import { evidenceKey, evidenceOf, uploadKey, uploadsOf } from '../../../stores/objects/keys.ts';
import { httpSend } from '../httpSend.ts';
import type { Declare } from './stage.ts';

const newSubmission = (): string => `sub_${systemIds.ulid()}`;

/** Everything of one submission goes, and nothing of another. */
export const removingTests: Declare = (test, { store, put, bytesOf }) => {
  const evidence = (submissionId: string, n: number): string =>
    evidenceKey(submissionId, { fileId: `fil_${n}`, etag: `"${n}"` });

  test('removeAll removes all under a prefix and nothing else, and repeating it is harmless', async () => {
    const [own, other] = [newSubmission(), newSubmission()];
    for (const submissionId of [own, other])
      for (const n of [1, 2, 3]) {
        await put(uploadKey(submissionId, `fil_${n}`), 'bytes');
        await put(evidence(submissionId, n), 'bytes');
      }
    assert.is(await store().removeAll(uploadsOf(own)), 3);
    assert.equal([await bytesOf(uploadKey(own, 'fil_1')), await bytesOf(evidence(own, 1))], [null, 'bytes']);
    assert.is(await store().removeAll(evidenceOf(own)), 3);
    for (const n of [1, 2, 3]) {
      assert.is(await bytesOf(evidence(own, n)), null);
      assert.is(await bytesOf(evidence(other, n)), 'bytes');
      assert.is(await bytesOf(uploadKey(other, `fil_${n}`)), 'bytes');
    }
    for (const prefix of [uploadsOf(own), evidenceOf(own)]) assert.is(await store().removeAll(prefix), 0);
    await put(uploadKey(own, 'fil_4'), 'late');
    assert.is(await store().removeAll(uploadsOf(own)), 1);
    for (const prefix of [uploadsOf(other), evidenceOf(other)]) assert.is(await store().removeAll(prefix), 3);
  });

  test('removeAll drops unfinished uploads in parts', async () => {
    const [own, other] = [newSubmission(), newSubmission()];
    const begin = async (submissionId: string, fileId: string) => {
      const key = uploadKey(submissionId, fileId);
      return { key, uploadId: await store().inParts.begin(key, 'text/plain', false) };
    };
    const [first, second, kept] = [
      await begin(own, 'fil_1'),
      await begin(own, 'fil_2'),
      await begin(other, 'fil_1'),
    ];
    const terms = { ...first, partNumber: 1, size: 4, expiresInSeconds: 60 };
    const signed = await store().inParts.sign(terms);
    const headers = { 'content-length': '4', ...signed.headers };
    assert.is((await httpSend({ ...signed, headers, body: 'part' })).status, 200);
    assert.is(await store().removeAll(uploadsOf(own), [first.key, second.key]), 2);
    for (const upload of [first, second]) assert.is(await store().inParts.parts(upload), null);
    assert.is((await httpSend({ ...signed, headers, body: 'part' })).status, 404);
    assert.is((await store().inParts.parts(kept))?.length, 0);
    await store().inParts.drop(kept);
  });
};

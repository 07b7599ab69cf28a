import * as assert from 'uvu/assert';
import { evidenceExport, evidenceExportStream } from '../../domain/evidenceExport.ts';
import { examples } from '../controls/events.ts';
import { routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('exports of evidence');
const { EvidenceExported: exported } = examples;
const record = { type: 'RecordExport', routing, key: exported.data.key } as const;

test('each export is an event of its own stream, sealed under the submission [audit-5]', () => {
  given(evidenceExport).when(record).then(exported);
  given(evidenceExport, exported).when(record).then(exported);
  assert.is(evidenceExport.subject(exported), routing.submissionId);
  assert.is(evidenceExportStream('sub_x'), 'evidenceExport-x');
});

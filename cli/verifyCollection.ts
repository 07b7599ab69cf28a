import type { CollectionFilter } from '../evidence/collection/format.ts';
import { type CollectionVerdict, verifyCollection } from '../evidence/collection/verify.ts';
import type { PublicKey } from '../evidence/keys.ts';
import { LIMITS } from '../evidence/verify/cannotProve.ts';
import { findingText } from '../evidence/verify/told.ts';
import { counted } from '../kernel/counted.ts';
import { createCounter } from './bar.ts';
import { AnsweredNo } from './commandLine.ts';
import { type Output, printable } from './output.ts';

/** Verifies a folder of packages with its index, and prints the verdict. Throws `AnsweredNo` if it fails. */
export const judgeCollection = async (path: string, key: PublicKey, output: Output): Promise<void> => {
  const counter = createCounter(output, 'packages');
  const verdict = await verifyCollection(path, key, counter.show).finally(counter.stop);
  const { index, findings, refused, redacted } = verdict;
  const holds = findings.length === 0;
  const trusted = holds ? { collection: index, refused, redacted } : NOTHING;
  const document = { holds, path, key: key.id, ...trusted, findings, cannotProve: LIMITS };
  await output.answer(document, () =>
    [
      ...(holds ? goodText(path, verdict) : badText(path, findings)),
      '',
      'What this can’t prove:',
      ...LIMITS.map((limit) => `  - ${limit}`),
    ].join('\n'),
  );
  if (!holds) throw new AnsweredNo();
};

const NOTHING = { collection: null, refused: [], redacted: 0 };

const goodText = (path: string, { index, refused, redacted }: CollectionVerdict): readonly string[] => {
  if (!index) return [];
  const { count, startedAt, exportedAt, service, key, head, filter } = index;
  return [
    `${path} holds: it is what was exported at ${exportedAt} by ${printable(service)}, signed with the key ${key}.`,
    `${counted(count, 'submission')} of ${filterText(filter)}, listed at ${startedAt}; the log’s last position was ${head}.`,
    ...(redacted > 0 ? [`A redaction removed something of ${counted(redacted, 'submission')}.`] : []),
    ...refused.map(
      ({ submissionId, refused: why }) => `${submissionId} has no package: ${printable(why ?? '')}`,
    ),
  ];
};

const filterText = ({ companyId, mode, workflow, status, from, until }: CollectionFilter): string =>
  [
    `${companyId} (${mode})`,
    ...(workflow === null ? [] : [`workflow ${workflow}`]),
    ...(status === null ? [] : [`status ${status}`]),
    ...(from === null ? [] : [`created from ${from} on`]),
    ...(until === null ? [] : [`created before ${until}`]),
  ].join(', ');

const badText = (path: string, findings: CollectionVerdict['findings']): readonly string[] => [
  `${path} does NOT hold; ${counted(findings.length, 'finding')} in all:`,
  ...findings.map((found) => `  ${printable(findingText(found))}`),
];

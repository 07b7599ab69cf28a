import { type Status, statuses } from '../domain/submission/transitions.ts';
import type { CollectionFilter } from '../evidence/collection/format.ts';
import { companyId, oneOf, slug, submissionId, time } from './arguments.ts';
import { type Command, type Common, leaf, WrongUsage } from './commandLine.ts';
import { createOutput } from './output.ts';
import type { Runtime } from './runtime.ts';
import { withStores } from './stores.ts';

/** `intake audit export`, `certificate`, `verify` and `key`: evidence that can be checked on any machine. */
export const addEvidenceCommands = (audit: Command, runtime: Runtime): void => {
  leaf(
    audit,
    'export',
    'write a submission’s events, files, decisions and webhooks to a signed folder or zip file; with --company those of many, and a signed index',
    [
      'intake audit export sub_01hv6x3m8q2r5t7w9y0a1b2c3d',
      'intake audit export sub_01hv6x3m8q2r5t7w9y0a1b2c3d --out /media/case-17.zip --json',
      'intake audit export --company cmp_01hv6x3m8q2r5t7w9y0a1b2c3d --status approved --from 2026-01-01 --until 2026-04-01 --out /media/quarter',
    ],
  )
    .argument('[submission]', 'its identifier, or its session’s', submissionId)
    .option(
      '--company <id>',
      'every submission of this company: with --out of an export that was stopped, the rest',
      companyId,
    )
    .option('--test', 'those of test mode, in the place of live ones')
    .option('--workflow <slug>', 'only those of this workflow', slug)
    .option('--status <status>', 'only those of this status', oneOf(statuses))
    .option('--from <time>', 'only those created from this day (UTC) or time on', time)
    .option('--until <time>', 'only those created before this day (UTC) or time', time)
    .option(
      '--out <path>',
      'where to write; a name that ends in .zip makes a zip file of one submission (default: evidence-SUBMISSION, evidence-COMPANY)',
    )
    .action(exportEither(runtime));
  leaf(audit, 'certificate', 'write a signed statement of what the redaction of a submission destroyed', [
    'intake audit certificate sub_01hv6x3m8q2r5t7w9y0a1b2c3d --out certificate.json',
  ])
    .argument('<submission>', 'its identifier, or its session’s', submissionId)
    .option('--out <file>', 'where to write it; a file that is there stays (default: standard output)')
    .action(certify(runtime));
  leaf(
    audit,
    'verify',
    'check such a folder, zip file or certificate, or a folder of many with its index: needs no settings, no data, nothing but the public key',
    [
      'intake audit verify evidence-sub_01hv6x3m8q2r5t7w9y0a1b2c3d --key evidence.pem',
      'intake audit verify case-17.zip --key evidence.pem --json | jq .findings',
    ],
  )
    .argument('<package>', 'the folder, zip file or certificate')
    .option('--key <key>', 'the public key of who exported: a PEM file, or the base64 in it')
    .action(verify);
  leaf(audit, 'key', 'show the public key of what is exported here (PEM), to be given to auditors', [
    'intake audit key > evidence.pem',
    'intake audit key --json | jq -r .id',
  ]).action(showKey(runtime));
};

type ExportOptions = Common & GivenFilter & Readonly<{ out?: string }>;

const exportEither =
  (runtime: Runtime) =>
  async (id: string | undefined, options: ExportOptions): Promise<void> => {
    const filter = filterOf(options);
    if ((id === undefined) === (filter === null))
      throw new WrongUsage('give a submission, or --company ID: one of them.', 'intake audit export');
    const { signingKey } = await import('../evidence/keys.ts');
    const key = signingKey(await runtime.evidenceSeed());
    await withStores(runtime, options, async ({ core, output, upToDate }) => {
      await upToDate();
      const files = await runtime.openFiles();
      const order = { core, files, key, out: options.out ?? null, output };
      const write = async (): Promise<void> => {
        if (filter) await (await import('./writeCollection.ts')).writeCollection({ ...order, filter });
        if (id !== undefined) await (await import('./writeEvidence.ts')).writeEvidence({ ...order, id });
      };
      await write().finally(files.close);
    });
  };

type GivenFilter = Readonly<{
  company?: string;
  test?: true;
  workflow?: string;
  status?: Status;
  from?: string;
  until?: string;
}>;

/** The filter that the options say; null without any. */
const filterOf = ({ company, test, ...more }: GivenFilter): CollectionFilter | null => {
  const { workflow = null, status = null, from = null, until = null } = more;
  if (company !== undefined)
    return { companyId: company, mode: test ? 'test' : 'live', workflow, status, from, until };
  if (test || [workflow, status, from, until].some((one) => one !== null))
    throw new WrongUsage('these filters need --company ID.', 'intake audit export');
  return null;
};

const certify =
  (runtime: Runtime) =>
  async (id: string, options: Common & Readonly<{ out?: string }>): Promise<void> => {
    const { signingKey } = await import('../evidence/keys.ts');
    const key = signingKey(await runtime.evidenceSeed());
    await withStores(runtime, options, async ({ core, output }) => {
      const { writeCertificate } = await import('./certificate.ts');
      const files = await runtime.openFiles();
      const order = { core, files, key, id, out: options.out ?? null, output };
      await writeCertificate(order).finally(files.close);
    });
  };

const showKey =
  (runtime: Runtime) =>
  async (options: Common): Promise<void> => {
    const output = createOutput(options.json);
    const { signingKey } = await import('../evidence/keys.ts');
    const { id, pem } = signingKey(await runtime.evidenceSeed()).publicKey;
    await output.answer({ id, algorithm: 'Ed25519', publicKey: pem }, () => pem.trimEnd());
    if (!output.json) output.notice(`Its identifier is ${id}.`);
  };

const verify = async (path: string, options: Common & Readonly<{ key?: string }>): Promise<void> => {
  if (options.key === undefined)
    throw new WrongUsage(
      '--key PUBLICKEY is needed: a key out of the package itself would prove nothing. `intake audit key`, where the evidence was exported, prints it.',
      'intake audit verify',
    );
  const { verifyEvidence } = await import('./verifyEvidence.ts');
  await verifyEvidence(path, options.key, createOutput(options.json));
};

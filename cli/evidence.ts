import { submissionId } from './arguments.ts';
import { type Command, type Common, leaf, WrongUsage } from './commandLine.ts';
import { createOutput } from './output.ts';
import type { Runtime } from './runtime.ts';
import { withStores } from './stores.ts';

/** `intake audit export`, `certificate`, `verify` and `key`: evidence that can be checked on any machine. */
export const addEvidenceCommands = (audit: Command, runtime: Runtime): void => {
  leaf(
    audit,
    'export',
    'write a submission’s events, files, decisions and webhooks to a signed folder or zip file',
    [
      'intake audit export sub_01hv6x3m8q2r5t7w9y0a1b2c3d',
      'intake audit export sub_01hv6x3m8q2r5t7w9y0a1b2c3d --out /media/case-17.zip --json',
    ],
  )
    .argument('<submission>', 'its identifier, or its session’s', submissionId)
    .option(
      '--out <path>',
      'where to write; a name that ends in .zip makes a zip file (default: evidence-SUBMISSION)',
    )
    .action(exportOne(runtime));
  leaf(audit, 'certificate', 'write a signed statement of what the redaction of a submission destroyed', [
    'intake audit certificate sub_01hv6x3m8q2r5t7w9y0a1b2c3d --out certificate.json',
  ])
    .argument('<submission>', 'its identifier, or its session’s', submissionId)
    .option('--out <file>', 'where to write it; a file that is there stays (default: standard output)')
    .action(certify(runtime));
  leaf(
    audit,
    'verify',
    'check such a folder, zip file or certificate: needs no settings, no data, nothing but the public key',
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

const exportOne =
  (runtime: Runtime) =>
  async (id: string, options: Common & Readonly<{ out?: string }>): Promise<void> => {
    const { signingKey } = await import('../evidence/keys.ts');
    const key = signingKey(await runtime.evidenceSeed());
    await withStores(runtime, options, async ({ core, output, upToDate }) => {
      await upToDate();
      const { writeEvidence } = await import('./writeEvidence.ts');
      const files = await runtime.openFiles();
      await writeEvidence({ core, files, key, id, out: options.out ?? null, output }).finally(files.close);
    });
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

import { writeFileSync } from 'node:fs';
import { intake, type Settings } from './intake.ts';

/**
 * The event stream of a submission, and its evidence: exported to `path`, and verified as by somebody who has
 * nothing but the package and the public key.
 */
export const proofsOf = async (settings: Settings, submissionId: string, path: string): Promise<string> => {
  const stream = await intake(settings, 'audit', submissionId);
  const { publicKey } = JSON.parse(await intake(settings, 'audit', 'key', '--json')) as { publicKey: string };
  await intake(settings, 'audit', 'export', submissionId, '--out', path);
  const key = `${path}.pem`;
  writeFileSync(key, publicKey);
  const verified = await intake({}, 'audit', 'verify', path, '--key', key);
  return `\nHow the corrected receipt came to be (intake audit):\n${stream}\nIts evidence, exported and verified (intake audit export, verify):\n${verified}`;
};

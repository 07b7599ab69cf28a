import type { Readable } from 'node:stream';
import { certifyRedaction } from '../evidence/certificate.ts';
import { exportEvidence, isRefusal, requireExportable } from '../evidence/export.ts';
import { type SigningKey, signingKey } from '../evidence/keys.ts';
import { streamedZip } from '../evidence/package/sink.ts';
import { once } from '../kernel/once.ts';
import { version } from '../kernel/version.ts';
import type { RedactionCertificate } from '../schemas/redactionCertificate.ts';
import type { ObjectReader } from '../stores/objects/port.ts';
import { evidenceSeed } from './dataFolder.ts';
import { InvalidSettings } from './settings/config.ts';
import type { Core } from './wire.ts';

/** The settings that say which key signs. */
export type EvidenceConfig = Parameters<typeof evidenceSeed>[0];
type EvidenceCore = Pick<
  Core,
  'events' | 'deliveries' | 'open' | 'clock' | 'report' | 'closing' | 'isDestroyed'
>;

/** Evidence over HTTP. The key is read, or made in DATA_DIR, when it is first needed. */
export const evidenceOf = (config: EvidenceConfig, core: EvidenceCore, files: ObjectReader) => {
  const { events, deliveries, open, clock, report, closing } = core;
  const own = once(() => ({ key: keyOf(config) }));
  const log = { read: events.read, open };
  const requireKey = (): SigningKey => {
    const { key } = own();
    if (key === null) throw new Error('there is no key that signs');
    return key;
  };
  const portsOf = (key: SigningKey) => ({
    ...{ log, deliveries, key, now: clock.now },
    service: `intake ${version}`,
  });
  const reasonOf = (error: unknown, submissionId: string): string => {
    if (!isRefusal(error)) throw error;
    report.error('evidence can’t be exported', { err: error, submissionId });
    return error.message;
  };
  return {
    publicKey: () => own().key?.publicKey ?? null,
    /**
     * Why no evidence of a submission can be exported; null where it can. It fails where the key is missing.
     */
    refusal: async (submissionId: string): Promise<string | null> => {
      try {
        await requireExportable(portsOf(requireKey()), submissionId, closing);
        return null;
      } catch (error) {
        return reasonOf(error, submissionId);
      }
    },
    /**
     * The certificate of a submission's redaction, or why none can be given. It fails where the key is
     * missing. Throws `RedactionNotDone`.
     */
    certify: async (submissionId: string): Promise<RedactionCertificate | string | null> => {
      try {
        return await certifyRedaction(
          { ...portsOf(requireKey()), files, isDestroyed: core.isDestroyed },
          submissionId,
        );
      } catch (error) {
        return reasonOf(error, submissionId);
      }
    },
    /** The package of a submission, made while it is read. It fails where the key is missing. */
    open: (submissionId: string): Readable => {
      const { sink, bytes } = streamedZip();
      const stop = new AbortController();
      // Its client has all of it, or has gone.
      bytes.once('close', () => stop.abort());
      const write = async (): Promise<void> => {
        await exportEvidence(
          { ...portsOf(requireKey()), files },
          submissionId,
          () => sink,
          stop.signal,
          () => undefined,
        );
      };
      write().catch((error) => bytes.destroy(error));
      return bytes;
    },
  };
};

const keyOf = (config: EvidenceConfig): SigningKey | null => {
  try {
    return signingKey(evidenceSeed(config));
  } catch (error) {
    if (error instanceof InvalidSettings) return null;
    throw error;
  }
};

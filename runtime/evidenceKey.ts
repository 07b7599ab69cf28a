import { needsDataDir } from './config/engines.ts';
import { type Config, InvalidSettings } from './config.ts';
import { requireData } from './dataCheck.ts';
import { embeddedEvidenceKey } from './embedded.ts';

/**
 * The seed of the key that signs exported evidence (32 bytes): EVIDENCE_KEY, else a file in DATA_DIR, made on first use. Throws
 * `InvalidSettings` where there is neither, `NoData` where the folder holds no data.
 */
export const evidenceSeed = (config: Config): Buffer => {
  const { evidenceKey, engines, dataDir } = config;
  if (evidenceKey) return evidenceKey;
  if (!needsDataDir(engines)) {
    const detail =
      'must be set to sign evidence when there is no DATA_DIR to keep a key in (openssl rand -base64 32)';
    throw new InvalidSettings([{ name: 'EVIDENCE_KEY', detail }]);
  }
  requireData(config);
  return embeddedEvidenceKey(dataDir);
};

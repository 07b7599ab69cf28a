import type { Config } from './config.ts';
import type { SettingFault } from './parsers.ts';

/** Faults of settings that do not prevent a start. `storageUrl` is the address that upload URLs name. */
export const warningsOf = (config: Config, storageUrl: string): readonly SettingFault[] => {
  const { misspelt, publicUrl, storagePublicUrl, engines } = config;
  if (publicUrl === null || storagePublicUrl !== null || engines.s3 !== null) return misspelt;
  const detail = `is not set, though PUBLIC_URL is: upload and download addresses name ${storageUrl}`;
  return [...misspelt, { name: 'STORAGE_PUBLIC_URL', detail }];
};

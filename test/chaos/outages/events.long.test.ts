import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateFor } from '../../../scripts/certificate.ts';
import { startStandIn } from '../../standIn/standIn.ts';
import { outageTests } from './stage.ts';

outageTests(
  'events',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'intake-outage-'));
    const tls = await certificateFor('localhost');
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, tls.cert);
    const standIn = await startStandIn({ tls, user: { name: 'intake', password: 'standing-in' } });
    const urlAt = (port: number, password: string): string =>
      `esdb://intake:${password}@127.0.0.1:${port}?tlsCAFile=${encodeURIComponent(caFile)}`;
    let at = standIn.port;
    return {
      port: standIn.port,
      settingsAt: (port) => {
        at = port;
        return { EVENTSTOREDB_URL: urlAt(port, 'standing-in') };
      },
      get refused() {
        return {
          settings: { EVENTSTOREDB_URL: urlAt(at, 'another') },
          says: /store-misconfigured.*password/,
        };
      },
      refuseWrites: (isRefusing) => {
        standIn.faults.refuses = isRefusing ? 'appends' : 'nothing';
      },
      close: async () => {
        await standIn.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
  { canRefuseWrites: true },
);

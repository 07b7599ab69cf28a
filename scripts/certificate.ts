import { isIP } from 'node:net';
import { generate } from 'selfsigned';

/** A key and its self-signed certificate, as PEM, for a name or address and this machine's address. */
export const certificateFor = async (name: string): Promise<Readonly<{ key: string; cert: string }>> => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { key, cert };
};

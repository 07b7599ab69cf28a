import { generate } from 'selfsigned';

/** A key, and a certificate of its own for 127.0.0.1 and localhost (PEM). */
export const selfSigned = async (): Promise<Readonly<{ key: string; certificate: string }>> => {
  const altNames = [
    { type: 2, value: 'localhost' },
    { type: 7, ip: '127.0.0.1' },
  ] as const;
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [...altNames] }],
  });
  return { key, certificate: cert };
};

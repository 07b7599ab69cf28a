import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { StoreMisconfigured } from '../../../kernel/errors.ts';

export type Endpoint = Readonly<{ host: string; port: number }>;

/** An endpoint as gRPC takes it; IPv6 addresses are in brackets there. */
export const targetOf = ({ host, port }: Endpoint): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;

/** Files of certificates and keys in PEM form, as they are. */
export type Tls = Readonly<{
  verify: boolean;
  ca: Buffer | null;
  certificate: Buffer | null;
  key: Buffer | null;
}>;

/** Where an EventStoreDB is and how to connect to it. Times in milliseconds. */
export type Address = Readonly<ReturnType<typeof readConnectionString>['address']>;

// KurrentDB is what EventStoreDB is called from version 25 on.
const FORM = /^(?:kurrentdb|kurrent|esdb)(\+discover)?:\/\/(?:([^@/?#]*)@)?([^/?#@]+)\/?(?:\?([^#@]*))?$/;
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;

// Options of the vendor's clients without a meaning for this driver, which has its own time-outs and retries
// for ever.
const WITHOUT_EFFECT = [
  'defaultdeadline',
  'throwonappendfailure',
  'maxdiscoverattempts',
  'discoveryinterval',
];

/** Parses a connection string. Throws `StoreMisconfigured`, which names every fault. */
export const addressOf = (connectionString: string): Address => {
  const { address, faults } = readConnectionString(connectionString);
  if (faults.length === 0) return address;
  throw new StoreMisconfigured(
    `The connection string of the event store is not valid: it ${faults.join('; it ')}`,
  );
};

/**
 * Reads a connection string; the address counts only where there are no faults. They repeat nothing of the
 * string but option names: it may hold a password.
 */
export const readConnectionString = (connectionString: string) => {
  const [, discover, userInfo, hosts, query] = FORM.exec(connectionString.trim()) ?? [];
  const faults: string[] = [];
  if (hosts === undefined)
    faults.push(
      'must be kurrentdb://…, kurrent://… or esdb://…, or one of these with +discover, with user:password@ percent-encoded',
    );
  const seeds = endpoints(hosts ?? '', faults);
  const options = optionsOf(query ?? '', faults);
  const address = {
    seeds,
    /** The leader is discovered through the seeds; else the single node gets all calls. */
    cluster: discover !== undefined || seeds.length > 1,
    user: userOf(userInfo, faults),
    /** null: in clear, and then no password is sent. */
    tls: tlsOf(options, faults),
    gossipMs: options.number('gossipTimeout', 5) * 1_000,
    keepAliveMs: options.number('keepAliveInterval', 10_000),
    keepAliveTimeoutMs: options.number('keepAliveTimeout', 10_000),
    connectionName: options.text('connectionName') ?? 'intake',
  };
  const preference = options.text('nodePreference')?.toLowerCase();
  if (preference !== undefined && preference !== 'leader')
    faults.push('nodePreference must be leader: other nodes may be behind');
  if (!/^[\x20-\x7e]+$/.test(address.connectionName))
    faults.push('needs printable ASCII characters for connectionName');
  for (const name of options.unknown()) faults.push(`has an option that is not known: ${name}`);
  return { address, faults };
};

const endpoints = (hosts: string, faults: string[]): readonly Endpoint[] =>
  hosts.split(',').map((text) => {
    const [, host = '', port = '2113'] = HOST.exec(text.trim()) ?? [];
    if (host === '' || Number(port) > 65_535 || Number(port) === 0)
      faults.push('needs hosts in the form host:port, separated by commas');
    return { host, port: Number(port) };
  });

const userOf = (text: string | undefined, faults: string[]) => {
  if (text === undefined) return null;
  const [name, password] = /^([^:]*):(.*)$/s.exec(text)?.slice(1).map(decode) ?? [];
  if (name && password) return { name, password };
  faults.push('must have user:password before the @, both percent-encoded');
  return null;
};

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null; // the caller names it
  }
};

type Options = ReturnType<typeof optionsOf>;

const flat = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

const optionsOf = (query: string, faults: string[]) => {
  const given = new Map(
    query
      .split('&')
      .filter(Boolean)
      .map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [flat(name), { name, value: decode(value.join('=')) ?? '' }] as const;
      }),
  );
  const supported = new Set(WITHOUT_EFFECT);
  const text = (name: string): string | undefined => {
    supported.add(flat(name));
    return given.get(flat(name))?.value;
  };
  return {
    text,
    number: (name: string, fallback: number): number => {
      const value = text(name);
      if (value === undefined) return fallback;
      if (!/^\d{1,9}$/.test(value) || Number(value) === 0)
        faults.push(`needs a positive whole number for ${name}`);
      return Number(value);
    },
    flag: (name: string, fallback: boolean): boolean => {
      const value = text(name);
      if (value !== undefined && value !== 'true' && value !== 'false')
        faults.push(`needs true or false for ${name}`);
      return value === undefined ? fallback : value === 'true';
    },
    unknown: (): readonly string[] =>
      [...given].flatMap(([key, { name }]) => (supported.has(key) ? [] : [name])),
  };
};

/** Whether TLS can use these; Node ignores an authority's file that holds no certificate. */
const isPem = ({ ca, certificate, key }: Omit<Tls, 'verify'>): boolean => {
  try {
    createSecureContext({ ...(certificate && key && { cert: certificate, key }) });
    return ca === null || ca.includes('-----BEGIN CERTIFICATE-----');
  } catch {
    return false; // the caller names it
  }
};

const tlsOf = (options: Options, faults: string[]): Tls | null => {
  const read = (name: string): Buffer | null => {
    const path = options.text(name);
    if (path === undefined) return null;
    try {
      return readFileSync(path);
    } catch (error) {
      faults.push(`names a file that can't be read for ${name}: ${(error as NodeJS.ErrnoException).code}`);
      return null;
    }
  };
  const tls = {
    verify: options.flag('tlsVerifyCert', true),
    ca: read('tlsCAFile'),
    certificate: read('userCertFile'),
    key: read('userKeyFile'),
  };
  if ((tls.certificate === null) !== (tls.key === null))
    faults.push('needs userCertFile and userKeyFile together');
  else if (!isPem(tls))
    faults.push('names a file for tlsCAFile, userCertFile or userKeyFile that is no such PEM');
  return options.flag('tls', true) ? tls : null;
};

import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { type Watch, writesInTurn } from '../../../scripts/withEngines/writesInTurn.ts';
import { mongoDocumentStore } from '../../../stores/documents/mongodb.ts';
import type { DocumentStore } from '../../../stores/documents/port.ts';
import { suite } from '../../harness.ts';
import type { Driver } from '../documents/stage.ts';

const { MONGODB_URL } = process.env;

/** Declares tests if there is a server for them; else they are skipped, and it is said why. */
export const onServer = (name: string, declare: () => void): void => {
  if (MONGODB_URL === undefined)
    suite(name).skip('all of it', 'MONGODB_URL is not set (scripts/engines sets it)');
  else declare();
};

/** MongoDB as the contract has it; its clock is waited for. */
export const mongoDriver = async (): Promise<Driver> => {
  const { url, open, end } = await ownDatabase();
  // The server is on this machine.
  const times = { now: () => Date.now(), pass: (ms: number) => setTimeout(ms + 50) };
  return { open: async () => open(), elsewhere: ['mongodb', url], ...times, end };
};

/** A database of its own, by a name that nobody else has. */
export type OwnDatabase = Readonly<{
  url: string;
  /** What speaks to the server without the driver. */
  client: MongoClient;
  /** Whether the server is FerretDB, which plans nothing and whose updates are not atomic by themselves. */
  ferret: boolean;
  open(): DocumentStore;
  /** Drops it. */
  end(): Promise<void>;
}>;

/**
 * Makes a database on the tests' server, which is reached through `writesInTurn` when its commands are
 * watched (before FerretDB scripts/engines puts one).
 */
export const ownDatabase = async (given = MONGODB_URL ?? '', watch?: Watch): Promise<OwnDatabase> => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const probe = new MongoClient(given);
  const { ferretdbVersion } = await probe.db('admin').command({ buildInfo: 1 });
  await probe.close();
  const ferret = ferretdbVersion !== undefined;
  const gate = watch ? await writesInTurn(hostOf(given), watch) : null;
  const url = gate ? through(gate.address, withDatabase(given, name)) : withDatabase(given, name);
  const client = await new MongoClient(url).connect();
  return {
    url,
    client,
    ferret,
    open: () => mongoDocumentStore({ url }),
    end: async () => {
      await client.db().dropDatabase();
      await client.close();
      await gate?.close();
    },
  };
};

/** Where a server listens. */
export const hostOf = (url: string): { host: string; port: number } => {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || 27_017) };
};

/** The same database by another way, which knows one server and plain text only. */
export const through = (address: string, url: string): string => {
  const [, start = '', rest = ''] = /^(\w+:\/\/(?:[^@/]*@)?)[^/]+(.*)$/.exec(url) ?? [];
  const direct = rest.includes('directConnection=')
    ? ''
    : `${rest.endsWith('?') ? '' : '&'}directConnection=true`;
  return `${start}${address}${rest}${direct}`;
};

/** The same server, user and options, but another database; whoever logs in does so where he did before. */
const withDatabase = (url: string, name: string): string => {
  const [, start = '', before = '', options = ''] = /^([^:]+:\/\/[^/?]+)\/?([^?]*)\??(.*)$/.exec(url) ?? [];
  const source =
    before && start.includes('@') && !options.includes('authSource') ? [`authSource=${before}`] : [];
  return `${start}/${name}?${[...(options ? [options] : []), ...source].join('&')}`;
};

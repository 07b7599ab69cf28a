import { base } from './router.ts';

type Rules = Readonly<{ createScriptURL(path: string): string }>;
type TrustedTypes = Readonly<{ createPolicy(name: string, rules: Rules): Rules }>;

/** Of a worker of the console, and of nothing else. */
const rules: Rules = {
  createScriptURL: (path) => {
    if (!/^[\w/]+Worker\.js$/.test(path)) throw new Error(`${path} is no worker`);
    return `${base}/console/${path}`;
  },
};

// The policy of the page lets no text become the address of a script but by these rules, where the browser
// knows it.
const { trustedTypes } = globalThis as unknown as Readonly<{ trustedTypes?: TrustedTypes }>;
const policy = trustedTypes?.createPolicy('workers', rules) ?? rules;

/** Starts a worker by the path of its module below /console/. */
export const startWorker = (path: string): Worker =>
  new Worker(policy.createScriptURL(path), { type: 'module' });

import { eventually } from '../harness.ts';
import { freePort } from '../support/freePort.ts';
import { type ServerProcess, startServerProcess } from '../support/process.ts';

type Settings = Readonly<Record<string, string>>;

/** What a node is to be: its roles, and settings of its own. */
export type Plan = Readonly<{ roles: string; settings?: Settings }>;

/** One of several nodes; its address stays the same whenever it is started again. */
export type Node = Readonly<{ name: string; url: string; isUp(): boolean }>;

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Starts a node for each plan, as processes that share nothing but what the settings name. */
export const startCluster = async (settings: Settings, plans: readonly Plan[]) => {
  const processes = new Map<string, ServerProcess>();
  const own = new Map<string, Readonly<{ settings: Settings; roles: string }>>();
  const nodes: Node[] = [];
  for (const [index, plan] of plans.entries()) {
    const name = String.fromCharCode('A'.charCodeAt(0) + index);
    const port = await freePort();
    own.set(name, { roles: plan.roles, settings: { ...settings, ...plan.settings, PORT: String(port) } });
    nodes.push({ name, url: `http://127.0.0.1:${port}`, isUp: () => processes.has(name) });
  }
  const start = async ({ name }: Node): Promise<void> => {
    const { settings: given = {}, roles = '' } = own.get(name) ?? {};
    processes.set(name, await startServerProcess(given, ['--roles', roles]));
  };
  const troubles: string[] = [];
  const end = async ({ name }: Node, how: 'kill' | 'stop'): Promise<void> => {
    const process = processes.get(name);
    processes.delete(name);
    await process?.[how]();
    for (const { level, msg, part, err } of process?.log() ?? [])
      if (level >= 40 && msg !== 'request')
        troubles.push(`${name}: ${[msg, part, err?.message].join(' · ')}`);
  };
  await Promise.all(nodes.map(start));
  return {
    nodes,
    up: (): readonly Node[] => nodes.filter((node) => node.isUp()),
    start,
    /** What the nodes that have ended told of, but for requests. */
    troubles: troubles as readonly string[],
    /** SIGKILL: nothing of it can run any more. */
    kill: (node: Node): Promise<void> => end(node, 'kill'),
    /** SIGTERM: it ends in order. */
    stop: (node: Node): Promise<void> => end(node, 'stop'),
    close: async (): Promise<void> => {
      await Promise.all(nodes.map((node) => end(node, 'stop')));
    },
  };
};

/** The loops of which one node at a time runs each, and how many leases that takes. */
const LOOPS = { projections: 1, reactor: 6, sweep: 1 } as const;

/** A figure of a node's own /metrics, 0 when it is not there. */
export const figureOf = async ({ url }: Node, series: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
};

const heldBy = (node: Node, loop: string): Promise<number> =>
  figureOf(node, `intake_leases_held{lease="${loop}"}`);

/** The node that makes the read models. */
export const projectingNode = (cluster: Cluster): Promise<Node> =>
  eventually('a node that makes the read models', async () => {
    for (const node of cluster.up()) if ((await heldBy(node, 'projections')) === 1) return node;
    return null;
  });

/** Resolves when the nodes that are up run every loop. */
export const allLoopsRun = (cluster: Cluster): Promise<true> =>
  eventually('each loop runs on one of the nodes', async () => {
    for (const [loop, leases] of Object.entries(LOOPS)) {
      const held = await Promise.all(cluster.up().map((node) => heldBy(node, loop)));
      if (held.reduce((sum, one) => sum + one, 0) !== leases) return null;
    }
    return true as const;
  });

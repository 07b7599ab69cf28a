import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '4.32.5';
const run = promisify(execFile);

/**
 * Schemathesis in an environment of its own below the user's cache folder; a text gives the reason why there
 * is not one here.
 */
export const installSchemathesis = async (): Promise<Readonly<{ executable: string }> | string> => {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'intake', `schemathesis-${VERSION}`);
  const executable = join(folder, 'bin', 'schemathesis');
  if (existsSync(executable)) return { executable };
  const old = await run('python3', ['-c', 'import sys; print(sys.version_info < (3, 10))']).catch(() => null);
  if (old?.stdout.trim() !== 'False') return 'no Python 3.10 or newer is here';
  try {
    mkdirSync(folder, { recursive: true });
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
    return { executable };
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    return `schemathesis ${VERSION} could not be installed: ${stderr.trim().split('\n').at(-1)}`;
  }
};

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/**
 * One round of it. `examples` is how many requests are tried of each operation at most; true when nothing was
 * found.
 */
export const fuzz = async (
  executable: string,
  round: Readonly<{
    document: string;
    hooks: string;
    world: string;
    seed: number;
    examples: number;
    phases: string;
  }>,
): Promise<boolean> => {
  const args = [
    ...['run', round.document, '--no-color', '--warnings', 'off', '--generation-database', 'none'],
    ...['--generation-with-security-parameters', 'false', '--suppress-health-check', 'all'],
    ...['--checks', CHECKS.join(), '--phases', round.phases, '--request-timeout', '20', '--workers', '1'],
    ...['--seed', String(round.seed), '--max-examples', String(round.examples), '--max-failures', '20'],
  ];
  const child = spawn(executable, args, {
    // It leaves caches where it runs.
    cwd: dirname(round.world),
    stdio: 'inherit',
    env: {
      ...process.env,
      SCHEMATHESIS_HOOKS: round.hooks,
      FUZZ_WORLD: round.world,
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  const [code] = await once(child, 'exit');
  return code === 0;
};

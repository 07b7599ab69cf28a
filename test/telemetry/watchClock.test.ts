import * as assert from 'uvu/assert';
import { watchClock } from '../../telemetry/watchClock.ts';
import { keptReport } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('the watch over the clock [operations-11]');

test('reports once a clock that was set back or forward, and not one that is slewed', async () => {
  const stop = new AbortController();
  const { report, lines } = keptReport();
  const jumps: string[] = [];
  let [wall, looks] = [1_000_000, 0];
  const wallMs = (): number => {
    looks += 1;
    return wall;
  };
  const times = { wallMs, steadyMs: () => 0 };
  const recorder = { clockSet: (direction: string) => void jumps.push(direction) };
  const watching = watchClock(report, recorder, stop.signal, times, 1);
  const moved = async (byMs: number): Promise<void> => {
    wall += byMs;
    const before = looks;
    await eventually('two more looks', () => looks > before + 2);
  };
  await moved(1_500);
  await moved(-3_600_000);
  await moved(2 * 86_400_000);
  stop.abort();
  await watching;
  assert.equal(jumps, ['back', 'forward']);
  assert.equal(
    lines.map(({ level, message }) => [level, message]),
    [
      ['warn', 'the machine’s clock was set back'],
      ['warn', 'the machine’s clock was set forward'],
    ],
  );
});

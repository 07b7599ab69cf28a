import * as assert from 'uvu/assert';
import { agentOf } from '../../http/routes/agents.ts';
import { suite } from '../harness.ts';

const test = suite('browsers and programs by name');

const cases: Readonly<Record<string, string>> = {
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0':
    'Edge on Windows',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15':
    'Safari on macOS',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1':
    'Safari on iOS',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36':
    'Chrome on Android',
  'curl/8.14.1': 'curl',
  'python-requests/2.32.3 contact=ann@example.com': 'python-requests',
  '<script>alert(1)</script>': '',
  '': '',
};
for (const [header, name] of Object.entries(cases))
  test(`${header || 'none'} is ${name || 'nameless'}`, () => assert.is(agentOf(header), name));

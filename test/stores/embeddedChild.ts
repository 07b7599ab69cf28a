import { systemClock } from '../../kernel/clock.ts';
import { embeddedObjects } from '../../stores/objects/embedded.ts';
import { BUCKET, credentials, REGION } from './embeddedFixture.ts';

// An endpoint in a process of its own, to be killed: argv is its folder, the first message its address.
const endpoint = await embeddedObjects({
  ...{ folder: process.argv[2] ?? '', port: 0, credentials, bucket: BUCKET, region: REGION },
  clock: systemClock,
});
process.send?.(endpoint.url);

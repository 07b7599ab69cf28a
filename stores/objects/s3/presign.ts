import type { Clock } from '../../../kernel/clock.ts';
import { type Credentials, createPresigner, type Form, type Request } from '../presign.ts';

/**
 * What an S3 client tells of its bucket: `sample` signs a download of the key `k` by the SDK's presigner,
 * `credentials` renews those that are about to expire.
 */
type Told = Readonly<{
  bucket: string;
  clock: Clock;
  sample(): Promise<string>;
  config: Readonly<{ credentials(): Promise<Credentials>; systemClockOffset: number }>;
}>;

/**
 * Signs for a bucket as its client addresses it. The SDK signs one URL, from which the address is learned:
 * for every URL its middleware would take a hundred times as long as the signature.
 */
export const s3Presigner = ({ bucket, clock, sample, config }: Told) => {
  let learned: ReturnType<typeof learn> | null = null;
  const now = () => new Date(clock.now().getTime() + config.systemClockOffset);
  return {
    url: async (request: Request): Promise<string> => {
      learned ??= learn(await sample());
      return learned.url({ credentials: await config.credentials(), now: now() }, request);
    },
    form: async (terms: Omit<Form, 'bucket'>) => {
      learned ??= learn(await sample());
      const signing = { credentials: await config.credentials(), now: now() };
      const fields = learned.form(signing, { ...terms, bucket });
      return { url: learned.formUrl, fields };
    },
  };
};

/** A bucket's address and region, from a signed URL. */
const learn = (signed: string) => {
  const { origin, pathname, searchParams } = new URL(signed);
  // From its end: an access key may have a `/` too.
  const region = searchParams.get('X-Amz-Credential')?.split('/').at(-3) ?? '';
  const path = pathname.slice(0, -'/k'.length);
  return { ...createPresigner(`${origin}${path}/`, region), formUrl: origin + (path || '/') };
};

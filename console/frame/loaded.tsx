import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Notice, Skeleton } from '../parts/notice.tsx';
import { texts } from '../texts.ts';

/** Loads a component. */
export type Load<P> = () => Promise<ComponentType<P>>;

type LoadedProps<P> = Readonly<{ load: Load<P>; properties: P }>;

/** A component that is loaded when it is first shown. */
export function Loaded<P extends object>({ load, properties }: LoadedProps<P>) {
  const [found, setFound] = useState<Readonly<{ View: ComponentType<P> }> | 'failed' | null>(null);
  useEffect(() => {
    load().then(
      (View) => setFound({ View }),
      () => setFound('failed'),
    );
  }, []);
  if (found === null) return <Skeleton />;
  if (found !== 'failed') return <found.View {...properties} />;
  // The service was updated since this page was loaded, or can't be reached.
  return (
    <Notice kind="bad">
      <p>{texts.moduleFailed}</p>
      <Button onClick={() => window.location.reload()}>{texts.reload}</Button>
    </Notice>
  );
}

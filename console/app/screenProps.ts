import type { Me } from '../../schemas/identity.ts';

/** What a screen gets: the parameters of its path, the query of its address, and the person. */
export type ScreenProps = Readonly<{
  parameters: Readonly<Record<string, string>>;
  query: URLSearchParams;
  me: Me;
}>;

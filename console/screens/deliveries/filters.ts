import type { FilterOf } from '../../parts/filters.tsx';
import type { PATH } from './resend.tsx';

/** The filters of the list; empty where one is not set. */
export type Filters = Readonly<Record<FilterOf<typeof PATH>, string>>;

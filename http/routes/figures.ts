import type { Clock } from '../../kernel/clock.ts';
import type { reviewFigures } from '../../projections/reviewFigures.ts';
import { ReviewFigures } from '../../schemas/figures.ts';
import { figureFilters, MAX_DAYS } from '../../schemas/listFilters.ts';
import { malformed } from '../engine/problems/problem.ts';
import { givenFilters } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';

type FiguresPorts = Readonly<{ figures: ReturnType<typeof reviewFigures>; clock: Clock }>;

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

/** Figures of reviews, for who leads them (figures-1). */
export const figuresRoutes = ({ figures, clock }: FiguresPorts): readonly Route[] => [
  route({
    name: 'getReviewFigures',
    summary: 'What became of submissions, which fields people corrected, and which are read worse',
    description: `Of the sessions that were opened from \`from\` to \`until\`, both days included and in UTC: the last ${DEFAULT_DAYS} days unless they are given, ${MAX_DAYS} at most. Each submission counts on the day on which its session was opened, and in the week of that day.`,
    method: 'GET',
    path: '/api/v1/review-figures',
    access: 'figures.read',
    query: figureFilters,
    answers: { 200: ReviewFigures },
  })({
    run: async ({ caller: { companyId, mode }, query: { from, until, workflow: slug, ...rest } }) => {
      const last = startOf(until ?? clock.now().toISOString().slice(0, 10));
      const first = from === null ? last - (DEFAULT_DAYS - 1) * DAY_MS : startOf(from);
      const days = (last - first) / DAY_MS + 1;
      if (days < 1 || days > MAX_DAYS) throw malformed([{ pointer: '/query/from', detail: RANGE }]);
      const range = { createdAfter: textOf(first), createdBefore: textOf(last + DAY_MS) };
      const body = await figures.of({ companyId, mode, ...givenFilters({ slug, ...rest }), ...range });
      return { status: 200, body };
    },
  }),
];

const RANGE = `must be a day up to \`until\`, at most ${MAX_DAYS - 1} before it`;

const startOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);
const textOf = (at: number): string => new Date(at).toISOString();

import { api } from '../app/api.ts';
import type { Company } from '../app/companies.ts';
import { useResource } from '../app/resource.ts';
import { hrefOf } from '../app/router.ts';
import { Reading } from '../parts/notice.tsx';
import { texts } from '../texts.ts';

const own = texts.firstSteps;

type Step = 'company' | 'workflow' | 'key' | 'people';

/** In their order. A workflow is of the platform, and assigned to companies. */
const STEPS: readonly Readonly<{ step: Step; path: string; isOfCompany: boolean }>[] = [
  { step: 'company', path: '/companies', isOfCompany: false },
  { step: 'workflow', path: '/workflows', isOfCompany: false },
  { step: 'key', path: '/keys', isOfCompany: true },
  { step: 'people', path: '/people', isOfCompany: true },
];

const LISTS = {
  workflow: ['/api/v1/workflow-definitions'],
  key: ['/api/v1/keys'],
  people: ['/api/v1/people', '/api/v1/invitations'],
} as const;

/** What the company has already. */
const doneOf = async (company: Company, signal: AbortSignal): Promise<readonly Step[]> => {
  const scope = { headers: { 'Intake-Company': company.id }, query: { limit: 1 }, signal };
  const found = await Promise.all(
    Object.entries(LISTS).map(async ([step, paths]) => {
      const pages = await Promise.all(paths.map((path) => api.get(path, scope)));
      return pages.some(({ data }) => data.length > 0) ? [step as Step] : [];
    }),
  );
  return ['company', ...found.flat()];
};

/**
 * How a platform gets into use, each step with a link, until all are done for its first company; `company`
 * null: none yet.
 */
export const FirstSteps = ({ company }: Readonly<{ company: Company | null }>) => {
  const done = useResource<readonly Step[]>(`first steps ${company?.id}`, async (signal) =>
    company ? doneOf(company, signal) : [],
  );
  if (done.value?.length === STEPS.length) return null;
  return (
    <>
      <h2>{own.title}</h2>
      <Reading resource={done} lines={STEPS.length} />
      <ol>
        {done.value &&
          STEPS.map(({ step, path, isOfCompany }) => (
            <li key={step}>
              <a href={hrefOf(path, { company: isOfCompany ? company?.id : null })}>{own[step]}</a>
              {done.value?.includes(step) && ` ✓ ${own.done}`}
            </li>
          ))}
      </ol>
    </>
  );
};

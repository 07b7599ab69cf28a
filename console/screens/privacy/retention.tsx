import { useState } from 'preact/hooks';
import type { Answer } from '../../../client/answer.ts';
import type { ChangeRetention, CompanyRetention } from '../../../client/api.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { useResource } from '../../app/resource.ts';
import { useWorkflowNames } from '../../app/workflows.ts';
import { ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { texts } from '../../texts.ts';
import { Due } from './due.tsx';
import { RetentionForm } from './retentionForm.tsx';

const own = texts.privacy;
const PATH = '/api/v1/companies/{companyId}/retention';

/** How long what a company sent is kept: its setting, and what is due by that. */
export const RetentionView = ({ companyId }: Readonly<{ companyId: string }>) => {
  const path = { companyId };
  const workflows = useWorkflowNames();
  const read = useResource(companyId, (signal) => api.request('get', PATH, { path, signal }));
  const [saved, setSaved] = useState<Answer<CompanyRetention> | null>(null);
  const [round, setRound] = useState(0);
  const shown = saved ?? read.value;
  const change = async (body: ChangeRetention): Promise<void> => {
    // What this page shows is changed, and nothing that came between.
    setSaved(await api.request('put', PATH, { path, body, ifMatch: shown?.etag ?? null }));
    setRound(round + 1);
    announce(own.saved);
  };
  if (!shown)
    return read.problem ? <ProblemNotice problem={read.problem} retry={read.reload} /> : <Skeleton />;
  return (
    <>
      <RetentionForm retention={shown.body} workflows={workflows} change={change} />
      <Due companyId={companyId} retention={shown.body} version={round} />
    </>
  );
};

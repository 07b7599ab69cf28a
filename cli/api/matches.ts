import { resolutions } from '../../domain/submission/fraud.ts';
import { matchId, oneOf, revision, submission } from '../arguments.ts';
import { type Command, group } from '../commandLine.ts';
import { given, onService, overHttp, type Service } from '../overHttp.ts';
import { matchColumns } from './submissions.ts';

type Resolution = (typeof resolutions)[number];

/** `intake matches …`: fraud matches of a submission. */
export const addMatchCommands = (program: Command): void => {
  const matches = group(program, 'matches', 'fraud matches of a submission: list and resolve them');
  overHttp(matches, 'list', 'show the fraud matches of a submission, the highest score first', [
    'intake matches list sub_01hv6x3m8q2r5t7w9y0a1b2c3d',
  ])
    .argument('<submission>', 'its identifier, or its session’s', submission)
    .action(onService(list));
  overHttp(matches, 'resolve', 'say what a match is; the status of its submission stays', [
    'intake matches resolve sub_01hv6x3m8q2r5t7w9y0a1b2c3d fm_01hv6x3m8q2r5t7w9y0a1b2c3d dismissed',
  ])
    .argument('<submission>', 'its identifier, or its session’s', submission)
    .argument('<match>', 'the identifier of the match', matchId)
    .argument('<resolution>', resolutions.join(' or '), oneOf(resolutions))
    .option('--comment <text>', 'what is noted with it')
    .option('--if-match <revision>', 'only while the submission has this revision', revision)
    .action(onService(resolve));
};

const list = async ({ intake, output }: Service, submissionId: string): Promise<void> => {
  const path = { submissionId };
  const { data } = await intake.get('/api/v1/submissions/{submissionId}/fraud-matches', { path });
  await output.list(data, matchColumns, `${submissionId} has no fraud match.`);
};

const resolve = async (
  { intake, output }: Service,
  submissionId: string,
  id: string,
  resolution: Resolution,
  { comment, ifMatch }: Readonly<{ comment?: string; ifMatch?: string }>,
): Promise<void> => {
  const match = await intake.post('/api/v1/submissions/{submissionId}/fraud-matches/{matchId}/resolve', {
    path: { submissionId, matchId: id },
    body: { resolution, ...given({ comment }) },
    ...given({ ifMatch }),
  });
  await output.answer(match, () => `${match.id} is ${match.resolution}.`);
};

import type { Command } from '../commandLine.ts';
import { addBatchCommands } from './batches.ts';
import { addDeliveryCommands } from './deliveries.ts';
import { addEndpointCommands } from './endpoints.ts';
import { addEvaluateCommand } from './evaluate.ts';
import { addEventCommands } from './events.ts';
import { addListenCommand } from './listen.ts';
import { addLoginCommands } from './login.ts';
import { addMatchCommands } from './matches.ts';
import { addReviewCommands } from './review.ts';
import { addSubjectCommands } from './subjects.ts';
import { addSubmissionReads } from './submissions.ts';
import { addSubmitCommands } from './submit.ts';
import { addTriggerCommand } from './trigger.ts';
import { addWorkflowReads } from './workflows.ts';

/** The commands over HTTP; gives the group `submissions`, which operators have commands in, too. */
export const addServiceCommands = (program: Command): Command => {
  addLoginCommands(program);
  addWorkflowReads(program);
  addSubmitCommands(program);
  const submissions = addSubmissionReads(program);
  addSubjectCommands(program);
  addReviewCommands(program);
  addMatchCommands(program);
  addBatchCommands(program);
  addEvaluateCommand(program);
  addEventCommands(program);
  addListenCommand(program);
  addTriggerCommand(program);
  addEndpointCommands(program);
  addDeliveryCommands(program);
  return submissions;
};

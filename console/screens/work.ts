// The lists of reviewers and auditors, which are part of the first module, with the screens of who comes to
// them.
export { default as Batch } from './batches/batch.tsx';
export { default as Batches } from './batches/batches.tsx';
export { default as Deliveries } from './deliveries/deliveries.tsx';
export { default as Delivery } from './deliveries/delivery.tsx';
export { default as Invite } from './invite.tsx';
export { default as Queue } from './queue/queue.tsx';
export { default as SignedIn } from './signedIn.tsx';
export { Undo } from './submission/undo.tsx';
export { default as Submissions } from './submissions/submissions.tsx';

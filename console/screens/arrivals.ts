export { default as Invite } from './invite.tsx';
export { default as SignedIn } from './signedIn.tsx';

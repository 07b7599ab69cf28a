import { openSlots } from '../domain/submission/session.ts';
import type { LoadedStream } from '../stores/events/log.ts';
import { expireIfDue } from './expireSession.ts';
import type { Context, Handle } from './handle.ts';
import { type OpenedSession, type SignAgainPorts, signUploads } from './openSession.ts';

/** Upload addresses of a session, which expire with it. */
export type RenewedUploads = Pick<OpenedSession, 'uploads' | 'expiresAt'>;

/**
 * Signs the upload addresses of a pending session again (uploads-17). Throws `SessionEnded`,
 * `SessionAlreadySubmitted`.
 */
export const renewUploads =
  (ports: SignAgainPorts & Readonly<{ handle: Handle }>) =>
  async (submissionId: string, context: Context, loaded?: LoadedStream): Promise<RenewedUploads> => {
    const state = await expireIfDue(ports, submissionId, context, loaded);
    if (!state) throw new Error(`the session of ${submissionId} does not exist`);
    const slots = openSlots(state);
    const { upload } = await ports.version(state.routing.workflow);
    const uploads = await signUploads(ports, { ...state, slots }, upload);
    return { uploads, expiresAt: state.expiresAt };
  };

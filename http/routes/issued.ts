import { invitationUrl } from '../../commands/invite.ts';
import type { Invitation } from '../../domain/invitation.ts';
import type { Reserved } from '../../stores/idempotency/port.ts';
import { secretShown } from '../engine/request/idempotency.ts';

/** What answers of new invitations are made with. */
export type IssuedPorts = Readonly<{
  /** An invitation as the log has it; null for none. */
  issued(invitationId: string): Promise<Invitation | null>;
  publicUrl(): string;
}>;

/** A new invitation's token as it is answered once; null where its link is mailed (mails-1). */
export const issuedOf = (
  { token, expiresAt }: Readonly<{ token: string | null; expiresAt: string }>,
  { publicUrl }: IssuedPorts,
) => ({
  mailed: token === null,
  token,
  url: token === null ? null : invitationUrl(publicUrl(), token),
  expiresAt,
});

/**
 * The invitation that a repeated request has issued, which is answered again where it had no secret; null for
 * none. Throws 409 where a token was shown: `remedy` says what to do (idempotency-13).
 */
export const issuedBefore = async (
  { reserved }: Readonly<{ reserved: Reserved }>,
  { issued }: IssuedPorts,
  remedy: string,
): Promise<Invitation | null> => {
  const found = await issued(`inv_${reserved.ulid}`);
  if (found === null || found.mailing !== null) return found;
  throw secretShown(
    `This request has issued the invitation ${found.invitationId}, whose token was shown once. If it is lost, ${remedy}.`,
  );
};

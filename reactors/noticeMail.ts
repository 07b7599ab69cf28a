import { escapeMarkup } from '../kernel/escape.ts';
import type { Mail } from '../outbound/mail.ts';
import { htmlOf, oneLine, paragraph } from './mailParts.ts';

/** An endpoint that was disabled, and where the service is. */
type NoticeFacts = Readonly<{
  endpointId: string;
  url: string;
  mode: string;
  company: string;
  publicUrl: string;
}>;

/** The mail that tells an administrator of an endpoint that the service has disabled. */
export const noticeMail = ({
  endpointId,
  url,
  mode,
  company,
  publicUrl,
}: NoticeFacts): Pick<Mail, 'subject' | 'text' | 'html'> => {
  const where = `${oneLine(company)} at Intake`;
  const subject = `A webhook endpoint of ${where} was disabled`;
  const address = oneLine(url);
  const parts = [
    'Hello,',
    `nothing could be delivered for days to the webhook endpoint ${endpointId} of ${where} (${mode} data):`,
    address,
    'It was disabled, and gets no more webhooks. Mend the receiver, send it a test, and enable the endpoint again.',
    `What happens until then is kept: read it at ${publicUrl}/api/v1/events, or send failed deliveries again.`,
  ];
  return {
    subject,
    text: `${parts.join('\n\n')}\n`,
    html: htmlOf(
      subject,
      parts.map((part) => (part === address ? `<p><code>${escapeMarkup(part)}</code></p>` : paragraph(part))),
    ),
  };
};

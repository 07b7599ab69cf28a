import type { ProblemText } from './problemText.ts';

/** The problems of requests that are not admitted: who sends them is not known, or may not do this. */
export const accessProblemTexts = {
  unauthorized: {
    status: 401,
    detail: 'Send a valid API key: `Authorization: Bearer aok_<64 lowercase hex characters>`.',
    means:
      'The request has no valid credential: no API key or an unknown one, and no session of a person; or it has two credentials.',
    remedy:
      'Send `Authorization: Bearer aok_…` with the key exactly as it was shown when it was created: `aok_` and 64 lower-case hexadecimal digits. `detail` says what was sent instead. People log in with `POST /api/auth/sessions` and send the `ast_…` token of its answer.',
  },
  'login-failed': {
    status: 401,
    title: 'Log-in failed',
    detail: 'The e-mail or the password is wrong.',
    means:
      'No user has this e-mail and this password, or the user is disabled; the answer does not say which. Or the identity provider has logged nobody in, or its answer is not valid.',
    remedy: 'Check both, or begin again. Wait between attempts: failures are counted by address.',
  },
  'login-expired': {
    status: 401,
    title: 'Log-in expired',
    detail: 'This log-in was not begun in this browser, has been completed, or is older than ten minutes.',
    remedy: 'Begin it again, and log in at the identity provider within ten minutes, in the same browser.',
  },
  'key-revoked': {
    status: 403,
    detail: 'This API key has been revoked.',
    remedy: 'Use the key that replaced it, or ask the administrator of your company’s keys for a new one.',
  },
  'key-expired': {
    status: 403,
    detail: 'This API key was rotated, and its overlap with the new key has ended.',
    remedy: 'Use the key that replaced it, or ask the administrator of your company’s keys for a new one.',
  },
  'company-required': {
    status: 403,
    detail: 'This needs a key that belongs to a company.',
    means:
      'An unscoped key may not call this; a super_admin must name the company; other people may name none but their own.',
    remedy: 'Use a key of a company. A super_admin sends the header `Intake-Company`.',
  },
  'login-refused': {
    status: 403,
    title: 'Log-in refused',
    detail: 'The identity provider knows who you are, and you are not admitted here.',
    means:
      'The identity provider does not call the e-mail verified; nobody has invited it; the user is disabled, belongs to another account there, or has none of the groups that have a role here. `detail` says which.',
    remedy: 'Ask an administrator of your company.',
  },
  'password-wrong': {
    status: 403,
    title: 'The current password is wrong',
    detail: 'The current password is wrong.',
    means: 'A password is changed by who knows the current one. It may have been changed elsewhere.',
    remedy: 'Check it. Wait between attempts: failures count as failed log-ins.',
  },
  'local-only': {
    status: 403,
    detail:
      'This is answered to requests from the same machine only, unless METRICS_TOKEN is set and sent as bearer token.',
    remedy:
      'Send the request from the same machine, without a proxy, or set METRICS_TOKEN and send it as bearer token.',
  },
  'role-required': {
    status: 403,
    detail: 'This is not for people of your role.',
    means: 'Your role does not have this permission, or only API keys have it.',
    remedy: 'Ask somebody whose role `detail` names.',
  },
  'csrf-token-required': {
    status: 403,
    detail: 'A change by cookie needs the CSRF token of its session in the header `X-CSRF-Token`.',
    remedy: 'Send the `csrfToken` that the log-in or `GET /api/auth/me` answered.',
  },
  'origin-not-allowed': {
    status: 403,
    detail: 'Pages of this origin may not call: see the setting ALLOWED_ORIGINS.',
    means:
      'A page of another origin sent the request. Pages of listed origins may call where people log in, by session token; cookies are accepted from pages of this service alone.',
    remedy: 'Add the origin to ALLOWED_ORIGINS if the page is yours. Servers send no `Origin`.',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;

/** An event's name as the API tells it: `SubmissionProcessingStarted` is `submission.processing_started` (history-3). */
export const publicName = (type: string): string => {
  const [first = '', ...rest] = type.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  return `${first}.${rest.join('_')}`;
};

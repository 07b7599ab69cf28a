/** What no check of a package can prove, for people: shown with every verdict. */
export const LIMITS: readonly string[] = [
  'that the log held nothing after the last event: what was cut off its end before the export leaves no trace here.',
  'that nobody who could write to the log made it, or its end, anew before the export: the chain of hashes holds no secret.',
  'that the opened private parts are what was sealed, and files the ones that were uploaded: the exporter says so, and has signed it.',
  'that times are right: they are those of the clocks of the service.',
  'who sat at the keyboard: a user had logged in, or a key was sent; a name beside a key is what its client said.',
  'whose the key is: take the public key from the operator by another way than the package came.',
];

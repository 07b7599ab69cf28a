/** A receipt; no two are alike, or they would wait for a person as duplicates. */
export const pageOf = (n: number): string => {
  const cents = 1_000 + ((n * 7_919) % 90_000);
  const amount = (of: number): string => (of / 100).toFixed(2);
  const goods = Array.from(
    { length: 12 },
    (_, line) => `${line + 1} x article ${n + line}      ${amount(75 + line)}`,
  );
  return [
    `Nordwind Office Supplies ${n} Ltd.`,
    `${1 + (n % 200)} Harbour Street`,
    'London EC1A 1BB',
    '',
    `Receipt no. ${100_000 + n}`,
    `Date: 2026-0${1 + (n % 9)}-${10 + (n % 18)}`,
    '',
    ...goods,
    '',
    `Total: GBP ${amount(cents)}`,
    'Paid by card. Thank you for your visit.',
    '',
  ].join('\n');
};

import type { ComponentChildren } from 'preact';

/** Names and what is known of each; those without a value are left out. */
export const Facts = ({ facts }: Readonly<{ facts: readonly (readonly [string, ComponentChildren])[] }>) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasMoved } from '../app/router.ts';
import { texts } from '../texts.ts';
import { Button } from './button.tsx';

type ScreenProps = Readonly<{
  title: string;
  /**
   * What makes a bar of the title, which stays in view: what comes before it, and what stands beside it. A
   * narrow page has the latter, and all actions but the first ones, behind a button.
   */
  before?: ComponentChildren;
  beside?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}>;

/** A screen: its title is the page's, and its heading has the focus when the person comes from another. */
export const Screen = ({ title, before, beside, actions, children }: ScreenProps) => {
  const [isOpen, open] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  useEffect(() => {
    if (hasMoved() && !document.querySelector('dialog[open]')) heading.current?.focus();
  }, []);
  return (
    <>
      <div class={before ? (isOpen ? 'title docked open' : 'title docked') : 'title'}>
        {before}
        <h1 ref={heading} tabIndex={-1} {...(before ? { title } : {})}>
          {title}
        </h1>
        {beside && (
          <>
            <Button class="unfold" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
              {texts.more}
            </Button>
            <div class="beside">{beside}</div>
          </>
        )}
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
};

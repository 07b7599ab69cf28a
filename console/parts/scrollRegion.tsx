import type { ComponentChildren, Ref } from 'preact';

type RegionProps = Readonly<{
  label: string;
  children: ComponentChildren;
  class?: string;
  own?: Ref<HTMLElement>;
  onScroll?: (top: number) => void;
}>;

/** A part of the page that scrolls by itself, by key too. */
export const ScrollRegion = ({ label, children, class: name = 'scroll', own, onScroll }: RegionProps) => (
  <section
    ref={own ?? null}
    class={name}
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key (WCAG 2.1.1)
    tabIndex={0}
    onScroll={(event) => onScroll?.(event.currentTarget.scrollTop)}
  >
    {children}
  </section>
);

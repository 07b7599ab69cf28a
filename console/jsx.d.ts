import type * as preact from 'preact';

// Elements are calls of `h`, which the build imports where it is used: they are smaller than those of the JSX
// runtime.
declare global {
  const h: typeof preact.h;
  const Fragment: typeof preact.Fragment;
  namespace JSX {
    type Element = preact.JSX.Element;
    type ElementType = preact.JSX.ElementType;
    type IntrinsicAttributes = preact.JSX.IntrinsicAttributes;
    type ElementChildrenAttribute = preact.JSX.ElementChildrenAttribute;
    type LibraryManagedAttributes<C, P> = preact.JSX.LibraryManagedAttributes<C, P>;
    interface IntrinsicElements extends preact.JSX.IntrinsicElements {}
  }
}

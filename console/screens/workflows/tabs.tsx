import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type TabsProps = Readonly<{
  label: string;
  tabs: Readonly<Record<string, string>>;
  chosen: string;
  onChoose(tab: string): void;
  children: ComponentChildren;
}>;

/** Views of one thing, of which one is on the page. */
export const Tabs = ({ label, tabs, chosen, onChoose, children }: TabsProps) => {
  const id = useId();
  const names = Object.keys(tabs);
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = by && names.at((names.indexOf(chosen) + by) % names.length);
    if (!next) return;
    event.preventDefault();
    onChoose(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={step}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {tabs[name]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
};

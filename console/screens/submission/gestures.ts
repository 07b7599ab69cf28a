import { useEffect, useRef } from 'preact/hooks';
import { fixedAt } from './scrolling.ts';
import type { View } from './viewing.ts';

/** Turns of a wheel, in pixels, that make a page e times as large. */
const WHEEL = 300;

/**
 * Changes the size of what a region shows by wheel with Ctrl and by two fingers, and moves it by dragging.
 */
export const useGestures = (
  region: Readonly<{ current: HTMLElement | null }>,
  zoomBy: View['zoomBy'],
): void => {
  const zoom = useRef(zoomBy);
  zoom.current = zoomBy;
  useEffect(() => {
    const element = region.current;
    if (!element) return;
    const ended = new AbortController();
    const { signal } = ended;
    const zoomAt = (factor: number, x: number, y: number): void =>
      zoom.current(factor, fixedAt(element, x, y));
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomAt(Math.exp(-event.deltaY / WHEEL), event.clientX, event.clientY);
    };
    element.addEventListener('wheel', wheel, { signal, passive: false });
    listenToPinch(element, signal, zoomAt);
    listenToDrag(element, signal);
    return () => ended.abort();
  }, []);
};

const listenToPinch = (
  element: HTMLElement,
  signal: AbortSignal,
  zoomAt: (factor: number, x: number, y: number) => void,
): void => {
  let apart = 0;
  const move = (event: TouchEvent): void => {
    const [one, other] = event.touches;
    if (!one || !other) return;
    event.preventDefault();
    const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    if (apart > 0) zoomAt(now / apart, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
    apart = now;
  };
  const end = (): void => {
    apart = 0;
  };
  element.addEventListener('touchmove', move, { signal, passive: false });
  for (const name of ['touchend', 'touchcancel']) element.addEventListener(name, end, { signal });
};

/** Fingers scroll by themselves, and text is selected. */
const listenToDrag = (element: HTMLElement, signal: AbortSignal): void => {
  let held: number | null = null;
  const start = (event: PointerEvent): void => {
    const target = event.target instanceof Element ? event.target : null;
    const isPage = target?.closest('.sheet') && !target.closest('button');
    if (event.pointerType !== 'mouse' || event.button !== 0 || !isPage) return;
    event.preventDefault();
    held = event.pointerId;
    element.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    if (event.pointerId === held) element.scrollBy(-event.movementX, -event.movementY);
  };
  const end = (): void => {
    held = null;
  };
  element.addEventListener('pointerdown', start, { signal });
  element.addEventListener('pointermove', move, { signal });
  element.addEventListener('lostpointercapture', end, { signal });
};

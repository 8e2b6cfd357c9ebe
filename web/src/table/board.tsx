/** The board as a live picture: what can be clicked is highlighted, and pieces that moved are animated. */
import { useLayoutEffect, useRef } from 'preact/hooks';

interface BoardProps {
  svg: string;
  open: ReadonlySet<string>;
  chosen: ReadonlySet<string>;
  implied: ReadonlySet<string>;
  other: ReadonlySet<string>;
  busy: boolean;
  /** Left out if there is nothing to choose: in replays and for spectators. */
  onPoint?: (target: string) => void;
}

const NOTHING: ReadonlySet<string> = new Set();

/** A picture without interaction. */
export const Picture = ({ svg }: { svg: string }) => (
  <Board svg={svg} open={NOTHING} chosen={NOTHING} implied={NOTHING} other={NOTHING} busy={false} />
);

export function Board({ svg, open, chosen, implied, other, busy, onPoint }: BoardProps) {
  const host = useRef<HTMLDivElement>(null);
  const shown = useRef('');

  const moves = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    const root = host.current as HTMLDivElement;
    if (shown.current !== svg) moves.current = draw(root, svg, shown.current !== '');
    shown.current = svg;
  }, [svg]);

  // Marks are set before the picture is painted, so that targets are highlighted from the first moment.
  useLayoutEffect(
    () => mark(host.current as HTMLDivElement, { open, chosen, implied, other }),
    [svg, open, chosen, implied, other],
  );

  // Pieces move only after the marks are set, because a mark is measured where its piece stands.
  useLayoutEffect(() => {
    moves.current?.();
    moves.current = null;
  }, [svg]);

  const pointAt = (event: Event) => {
    const target = (event.target as Element).closest?.<SVGElement>('[data-target]');
    if (!target || !onPoint) return;
    const { target: name, legal, chosen, implied, other } = target.dataset;
    if (name !== undefined && (legal ?? chosen ?? implied ?? other) !== undefined) onPoint(name);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      pointAt(event);
    } else if (event.key.startsWith('Arrow') && host.current) {
      if (moveFocus(host.current, event.key)) event.preventDefault();
    }
  };

  return (
    // The elements in the picture are the buttons; this element only receives their events.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div class={busy ? 'board busy' : 'board'} data-board ref={host} onClick={pointAt} onKeyDown={onKey} />
  );
}

/** Draws a picture; answers with what shows the moves since the last one. */
function draw(root: HTMLElement, svg: string, animate: boolean): (() => void) | null {
  const before = animate ? places(root) : null;
  const layout = root.querySelector('svg')?.viewBox?.baseVal.width;
  const focused = (document.activeElement as SVGElement | null)?.dataset?.target;
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const picture = document.importNode(parsed, true) as unknown as SVGSVGElement;
  const { width, height } = picture.viewBox?.baseVal ?? {};
  if (width && height) picture.style.setProperty('--ratio', String(width / height));
  root.replaceChildren(picture);
  if (focused !== undefined) focusOn(root, focused);
  // Another layout puts everything elsewhere, which is no move.
  if (!before || width !== layout || matchMedia('(prefers-reduced-motion: reduce)').matches) return null;
  return () => glide(root, before);
}

type Place = Pick<DOMRect, 'left' | 'top' | 'width'>;

/** The places on the page of all elements that keep their id from picture to picture. */
function places(root: HTMLElement): Map<string, Place> {
  const found = new Map<string, Place>();
  for (const element of root.querySelectorAll<SVGGraphicsElement>('[id^="p-"], [id^="t-"]')) {
    found.set(element.id, element.getBoundingClientRect());
  }
  return found;
}

const GLIDE = { duration: 260, easing: 'ease-out' };
const APPEAR = { duration: 320, easing: 'ease-out' };

/** Pieces move from their previous place, and new ones fade in. */
function glide(root: HTMLElement, before: Map<string, Place>): void {
  for (const element of root.querySelectorAll<SVGGraphicsElement>('[id^="p-"]')) {
    const old = before.get(element.id);
    const now = element.getBoundingClientRect();
    if (!old) {
      element.animate([{ opacity: 0 }, { opacity: 1 }], APPEAR);
      continue;
    }
    const [across, down] = [old.left - now.left, old.top - now.top];
    if (Math.hypot(across, down) < 2 || element.parentElement?.closest('[id^="p-"]')) continue;
    const [x, y] = inUnitsOf(element.parentElement as unknown as SVGGraphicsElement, across, down);
    const still = element.getAttribute('transform') ?? '';
    const rest = still ? toCss(element) : '';
    element.animate([{ transform: `translate(${x}px, ${y}px) ${rest}` }, { transform: rest || 'none' }], GLIDE);
  }
}

/** Converts a distance on the screen to the units inside an element, which may be scaled and rotated. */
function inUnitsOf(around: SVGGraphicsElement, across: number, down: number): [number, number] {
  const { a, b, c, d } = around.getScreenCTM()?.inverse() ?? new DOMMatrix();
  return [a * across + c * down, b * across + d * down];
}

/** An animation replaces the transform of an element, so it must include it. */
function toCss(element: SVGGraphicsElement): string {
  const matrix = element.transform.baseVal.consolidate()?.matrix;
  if (!matrix) return '';
  const { a, b, c, d, e, f } = matrix;
  return `matrix(${a}, ${b}, ${c}, ${d}, ${e}, ${f})`;
}

type Marks = Pick<BoardProps, 'open' | 'chosen' | 'implied' | 'other'>;

function mark(root: HTMLElement, { open, chosen, implied, other }: Marks): void {
  // To a screen reader an image has no parts, but a group has.
  root.querySelector('svg')?.setAttribute('role', open.size + chosen.size > 0 ? 'group' : 'img');
  for (const element of root.querySelectorAll<SVGElement>('[data-target]')) {
    const name = element.dataset.target as string;
    const live = open.has(name) || chosen.has(name) || implied.has(name);
    set(element, 'data-legal', open.has(name));
    set(element, 'data-chosen', chosen.has(name));
    set(element, 'data-implied', implied.has(name));
    set(element, 'data-other', other.has(name));
    halo(element, live);
    if (live || other.has(name)) {
      element.setAttribute('role', 'button');
      element.setAttribute('aria-pressed', String(chosen.has(name) || implied.has(name)));
      element.setAttribute('tabindex', live ? '0' : '-1');
      if (!hasTitle(element)) element.setAttribute('aria-label', name);
    } else {
      for (const attribute of ['role', 'aria-pressed', 'tabindex', 'aria-label']) element.removeAttribute(attribute);
    }
  }
}

const SHAPES = 'rect, circle, ellipse, polygon, path';

/** Outlines a thing, in its own shape if one of its parts has the shape of the whole. */
function halo(element: SVGElement, on: boolean): void {
  const old = Array.from(element.children).find((child) => child.classList.contains('halo'));
  if (!on) {
    old?.remove();
    element.querySelector(':scope > .ground')?.remove();
  }
  if (!on || old || !(element instanceof SVGGraphicsElement)) return;
  // A piece that is still on its way would be measured with the way that it has to go.
  for (const moving of element.getAnimations?.({ subtree: true }) ?? []) moving.finish();
  const whole = element.getBBox();
  const same = Array.from(element.children).find((child): child is SVGGraphicsElement => {
    if (!(child instanceof SVGGraphicsElement) || !child.matches(SHAPES) || child.hasAttribute('transform'))
      return false;
    const { width, height } = child.getBBox();
    return width >= whole.width * 0.92 && height >= whole.height * 0.92;
  });
  const outline = same ? (same.cloneNode() as SVGElement) : rectAround(whole);
  for (const name of outline.getAttributeNames()) if (!GEOMETRY.has(name)) outline.removeAttribute(name);
  outline.classList.add('halo');
  element.append(outline);
  if (!same) fillGaps(element, whole);
}

/** A thing that consists of several pieces can also be clicked between them, unless something else lies there. */
function fillGaps(element: SVGGraphicsElement, whole: DOMRect): void {
  const box = element.getBoundingClientRect();
  const targets = element.ownerSVGElement?.querySelectorAll('[data-target]') ?? [];
  for (const other of targets) {
    if (other === element || other.contains(element) || element.contains(other)) continue;
    const { left, right, top, bottom } = other.getBoundingClientRect();
    const across = Math.min(right, box.right) - Math.max(left, box.left);
    const down = Math.min(bottom, box.bottom) - Math.max(top, box.top);
    if (across > OVERLAP && down > OVERLAP) return;
  }
  const ground = rectAround(whole);
  ground.classList.add('ground');
  element.prepend(ground);
}

/** Neighbours may overlap by this much. */
const OVERLAP = 4;

const GEOMETRY = new Set(['x', 'y', 'width', 'height', 'rx', 'ry', 'cx', 'cy', 'r', 'points', 'd']);

function rectAround({ x, y, width, height }: DOMRect): SVGElement {
  const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const numbers = { x, y, width, height, rx: Math.min(width, height) / 8 };
  for (const [name, value] of Object.entries(numbers)) rect.setAttribute(name, String(value));
  return rect;
}

function set(element: SVGElement, attribute: string, on: boolean): void {
  if (on) element.setAttribute(attribute, '');
  else element.removeAttribute(attribute);
}

/** A title inside the picture names a thing to everyone and contains the visible words. */
const hasTitle = (element: SVGElement) => Array.from(element.children).some(({ tagName }) => tagName === 'title');

const focusable = (root: HTMLElement) => Array.from(root.querySelectorAll<SVGElement>('[data-target][tabindex="0"]'));

function focusOn(root: HTMLElement, name: string): void {
  queueMicrotask(() =>
    focusable(root)
      .find((element) => element.dataset.target === name)
      ?.focus(),
  );
}

/** The nearest thing in that direction. Sideways distance counts double, so that rows and columns are followed. */
function moveFocus(root: HTMLElement, key: string): boolean {
  const from = document.activeElement;
  if (!(from instanceof SVGElement) || !root.contains(from)) return false;
  const centre = (element: Element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2] as const;
  };
  const [x, y] = centre(from);
  const sideways = key === 'ArrowLeft' || key === 'ArrowRight';
  const sign = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1;
  let best: { element: SVGElement; distance: number } | null = null;
  for (const element of focusable(root)) {
    const [ex, ey] = centre(element);
    const along = (sideways ? ex - x : ey - y) * sign;
    if (element === from || along < 2) continue;
    const distance = along + 2 * Math.abs(sideways ? ey - y : ex - x);
    if (!best || distance < best.distance) best = { element, distance };
  }
  best?.element.focus();
  return best !== null;
}

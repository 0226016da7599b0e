/** The mark: a tesseract in thin lines; it turns on the home page and stands still elsewhere. */
import { useEffect, useRef, type ReactNode } from 'react';
import { TESSERACT_EDGES, tesseract, tesseractPoints } from './topology.ts';
import type { Drawing } from './topology.ts';

/** The lines and dots of a drawing, in the current colour. */
export function DrawingShapes({ drawing }: { readonly drawing: Drawing }): ReactNode {
  return (
    <>
      {drawing.lines.map((each, index) => (
        <line
          // oxlint-disable-next-line react/no-array-index-key -- the lines of a drawing never move among themselves
          key={index}
          x1={each.x1.toFixed(2)}
          y1={each.y1.toFixed(2)}
          x2={each.x2.toFixed(2)}
          y2={each.y2.toFixed(2)}
          strokeWidth={each.width}
          opacity={each.opacity}
        />
      ))}
      {drawing.dots.map((each, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- as above
        <circle
          key={index}
          cx={each.x.toFixed(2)}
          cy={each.y.toFixed(2)}
          r={each.r}
          opacity={each.opacity}
        />
      ))}
    </>
  );
}

interface MarkProps {
  readonly size: number;
  readonly angle?: number;
  readonly weight?: number;
}

export function Mark({ size, angle = 0.55, weight = 0.9 }: MarkProps): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${size} ${size}`}
      stroke="currentColor"
      fill="currentColor"
      className="mark"
      aria-hidden="true"
    >
      <DrawingShapes drawing={tesseract(size, angle, weight)} />
    </svg>
  );
}

const RADIANS_PER_MS = 0.00018;

/** The mark, turning slowly while it is seen, unless the system asks for no motion. */
export function TurningMark({ size, angle = 0.8, weight = 1.4 }: MarkProps): ReactNode {
  const ref = useRef<SVGSVGElement>(null);
  useEffect(() => {
    const svg = ref.current;
    const wantsStillness = matchMedia('(prefers-reduced-motion: reduce)');
    if (svg === null || wantsStillness.matches) return;
    const lines = svg.querySelectorAll('line');
    const dots = svg.querySelectorAll('circle');
    let frame = 0;
    let turned = angle;
    let last: number | null = null;
    const draw = (now: number): void => {
      turned += (last === null ? 0 : Math.min(now - last, 100)) * RADIANS_PER_MS;
      last = now;
      const points = tesseractPoints(size, turned);
      const set = (element: Element | undefined, name: string, value: number | undefined): void =>
        element?.setAttribute(name, (value ?? 0).toFixed(2));
      TESSERACT_EDGES.forEach(({ from, to }, index) => {
        set(lines[index], 'x1', points[from]?.[0]);
        set(lines[index], 'y1', points[from]?.[1]);
        set(lines[index], 'x2', points[to]?.[0]);
        set(lines[index], 'y2', points[to]?.[1]);
      });
      points.forEach(([x, y], index) => {
        set(dots[index], 'cx', x);
        set(dots[index], 'cy', y);
      });
      frame = requestAnimationFrame(draw);
    };
    const start = (): void => {
      cancelAnimationFrame(frame);
      last = null;
      frame = requestAnimationFrame(draw);
    };
    // Out of sight it costs nothing.
    const seen = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting && !wantsStillness.matches) start();
      else cancelAnimationFrame(frame);
    });
    const onPreference = (): void => {
      if (wantsStillness.matches) cancelAnimationFrame(frame);
      else start();
    };
    seen.observe(svg);
    wantsStillness.addEventListener('change', onPreference);
    return () => {
      cancelAnimationFrame(frame);
      seen.disconnect();
      wantsStillness.removeEventListener('change', onPreference);
    };
  }, [size, angle]);
  return (
    <svg
      ref={ref}
      viewBox={`0 0 ${size} ${size}`}
      stroke="currentColor"
      fill="currentColor"
      className="mark-turning"
      aria-hidden="true"
    >
      <DrawingShapes drawing={tesseract(size, angle, weight)} />
    </svg>
  );
}

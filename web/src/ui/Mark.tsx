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
/** A slow turn needs no more pictures than this, and the pages around it need the processor. */
const FRAME_MS = 40;

type Points = ReturnType<typeof tesseractPoints>;

/** The edges of one opacity as one path: a frame then changes three attributes and not 160. */
function edgePath(points: Points, isFourth: boolean): string {
  return TESSERACT_EDGES.filter((edge) => edge.opacity < 1 === isFourth)
    .map(({ from, to }) => {
      const [[x1, y1], [x2, y2]] = [points[from] ?? [0, 0], points[to] ?? [0, 0]];
      return `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}`;
    })
    .join('');
}

/** Corners as lines of no length with round ends. */
const cornerPath = (points: Points): string =>
  points.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join('');

const pathsAt = (size: number, angle: number): readonly [string, string, string] => {
  const points = tesseractPoints(size, angle);
  return [edgePath(points, false), edgePath(points, true), cornerPath(points)];
};

/** The mark, turning slowly while it is seen, unless the system asks for no motion. */
export function TurningMark({ size, angle = 0.8, weight = 1.4 }: MarkProps): ReactNode {
  const ref = useRef<SVGSVGElement>(null);
  useEffect(() => {
    const svg = ref.current;
    const wantsStillness = matchMedia('(prefers-reduced-motion: reduce)');
    if (svg === null) return;
    const drawn = svg.querySelectorAll('path');
    let frame = 0;
    let turned = angle;
    let last: number | null = null;
    let isSeen = false;
    const draw = (now: number): void => {
      frame = requestAnimationFrame(draw);
      const passed = last === null ? FRAME_MS : now - last;
      if (passed < FRAME_MS) return;
      last = now;
      turned += Math.min(passed, 100) * RADIANS_PER_MS;
      pathsAt(size, turned).forEach((path, index) => drawn[index]?.setAttribute('d', path));
    };
    const update = (): void => {
      cancelAnimationFrame(frame);
      last = null;
      if (isSeen && !wantsStillness.matches) frame = requestAnimationFrame(draw);
    };
    // Out of sight it costs nothing.
    const watch = new IntersectionObserver(([entry]) => {
      isSeen = entry?.isIntersecting === true;
      update();
    });
    // The page comes first: it begins to turn when there is nothing more urgent.
    const begin = (): void => watch.observe(svg);
    const start = setTimeout(begin, 1500);
    wantsStillness.addEventListener('change', update);
    return () => {
      clearTimeout(start);
      cancelAnimationFrame(frame);
      watch.disconnect();
      wantsStillness.removeEventListener('change', update);
    };
  }, [size, angle]);
  const [edges, fourth, corners] = pathsAt(size, angle);
  return (
    <svg
      ref={ref}
      viewBox={`0 0 ${size} ${size}`}
      stroke="currentColor"
      strokeWidth={weight}
      strokeLinecap="round"
      fill="none"
      aria-hidden="true"
    >
      <path d={edges} />
      <path d={fourth} opacity={0.45} />
      <path d={corners} strokeWidth={weight * 3} />
    </svg>
  );
}

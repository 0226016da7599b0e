/** The generated cover of an item: a machine topology, seeded and tinted by the tag's colour. */
import { memo, type CSSProperties, type ReactNode } from 'react';
import { DrawingShapes } from './Mark.tsx';
import { COVER_HEIGHT, COVER_WIDTH, coverDrawing, type CoverKind } from './topology.ts';

/** A style that makes `--tint` one of the 11 tag colours. */
export const tint = (colour: number | null | undefined): CSSProperties =>
  ({ '--tint': `var(--tag-${colour ?? 11})` }) as CSSProperties;

export const Cover = memo(function Cover(props: {
  readonly kind: CoverKind;
  readonly seed: number;
  readonly colour: number | null | undefined;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="cover" style={tint(props.colour)}>
      <svg
        viewBox={`0 0 ${COVER_WIDTH} ${COVER_HEIGHT}`}
        preserveAspectRatio="xMidYMid slice"
        stroke="currentColor"
        fill="currentColor"
        aria-hidden="true"
      >
        <DrawingShapes drawing={coverDrawing(props.kind, props.seed)} />
      </svg>
      {props.children}
    </div>
  );
});

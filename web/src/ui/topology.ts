/** Line drawings of machine topologies, as numbers: the mark and the generated covers are made of them. */

export interface Line {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly width?: number;
  readonly opacity: number;
}
export interface Dot {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly opacity: number;
}
export interface Drawing {
  readonly lines: readonly Line[];
  readonly dots: readonly Dot[];
}

type Point = readonly [number, number];

/** Corners of a tesseract, turned in four dimensions and projected twice in perspective. */
export function tesseractPoints(size: number, angle: number): readonly Point[] {
  return Array.from({ length: 16 }, (_unused, corner): Point => {
    const v: [number, number, number, number] = [
      corner & 1 ? 1 : -1,
      corner & 2 ? 1 : -1,
      corner & 4 ? 1 : -1,
      corner & 8 ? 1 : -1,
    ];
    const turn = (a: 0 | 1 | 2, b: 1 | 2 | 3, by: number): void => {
      const [x, y] = [v[a], v[b]];
      v[a] = x * Math.cos(by) - y * Math.sin(by);
      v[b] = x * Math.sin(by) + y * Math.cos(by);
    };
    turn(0, 3, angle);
    turn(1, 2, 0.42);
    turn(0, 2, 0.6);
    const from4 = 2.6 / (3.4 - v[3]);
    const from3 = 3.4 / (4.6 - v[2] * from4);
    const scale = from4 * from3 * size * 0.24;
    return [size / 2 + v[0] * scale, size / 2 + v[1] * scale];
  });
}

/** Edges of a tesseract: corners that differ in one bit. The fourth direction is drawn lighter. */
export const TESSERACT_EDGES: readonly {
  readonly from: number;
  readonly to: number;
  readonly opacity: number;
}[] = Array.from({ length: 16 }, (_unused, from) => from).flatMap((from) =>
  [0, 1, 2, 3]
    .map((bit) => ({ from, to: from ^ (1 << bit), opacity: bit === 3 ? 0.45 : 1 }))
    .filter((edge) => edge.to > edge.from),
);

export function tesseract(size: number, angle: number, width: number): Drawing {
  const points = tesseractPoints(size, angle);
  const at = (index: number): Point => points[index] ?? [0, 0];
  return {
    lines: TESSERACT_EDGES.map(({ from, to, opacity }) => {
      const [[x1, y1], [x2, y2]] = [at(from), at(to)];
      return { x1, y1, x2, y2, width, opacity };
    }),
    dots: points.map(([x, y]) => ({ x, y, r: width * 1.5, opacity: 1 })),
  };
}

/** A repeatable stream of numbers in 0 … 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const COVER_WIDTH = 320;
export const COVER_HEIGHT = 120;
export type CoverKind = 'torus' | 'tree' | 'butterfly' | 'ring' | 'cube';

type Draw = (random: () => number, lines: Line[], dots: Dot[]) => void;

const line = ([x1, y1]: Point, [x2, y2]: Point, opacity: number, width = 1): Line => ({
  x1,
  y1,
  x2,
  y2,
  opacity,
  width,
});
const dot = ([x, y]: Point, r: number, opacity = 0.9): Dot => ({ x, y, r, opacity });

const torus: Draw = (random, lines, dots) => {
  const at = (x: number, y: number): Point => [10 + x * 25, 14 + y * 23];
  for (let y = 0; y < 5; y++) {
    for (let x = 0; x < 13; x++) {
      dots.push(dot(at(x, y), 2));
      if (x < 12) lines.push(line(at(x, y), at(x + 1, y), 0.35));
      if (y < 4) lines.push(line(at(x, y), at(x, y + 1), 0.35));
      if (random() < 0.13) dots.push(dot(at(x, y), 5, 0.32));
    }
  }
};

const tree: Draw = (random, lines, dots) => {
  const at = (level: number, index: number): Point => [
    (COVER_WIDTH * (index + 0.5)) / 2 ** level,
    14 + level * 23,
  ];
  const path = Math.floor(random() * 16);
  for (let level = 0; level < 5; level++) {
    for (let index = 0; index < 2 ** level; index++) {
      // One leaf's way to the root stands out, another one for each seed.
      const isOnPath = path >> (4 - level) === index;
      dots.push(dot(at(level, index), level === 4 ? 2 : 3, isOnPath ? 1 : 0.75));
      if (level > 0) {
        lines.push(
          line(
            at(level, index),
            at(level - 1, index >> 1),
            isOnPath ? 0.75 : 0.32,
            5 - level * 0.9,
          ),
        );
      }
    }
  }
};

const butterfly: Draw = (random, lines, dots) => {
  const at = (stage: number, row: number): Point => [20 + stage * 70, 11 + row * 14];
  const shift = Math.floor(random() * 3);
  for (let stage = 0; stage < 5; stage++) {
    for (let row = 0; row < 8; row++) {
      dots.push(dot(at(stage, row), 2));
      if (stage < 4) {
        lines.push(line(at(stage, row), at(stage + 1, row), 0.3));
        lines.push(line(at(stage, row), at(stage + 1, row ^ (1 << ((stage + shift) % 3))), 0.3));
      }
    }
  }
};

const ring: Draw = (random, lines, dots) => {
  const radius = 42;
  for (let k = 0; k < 3; k++) {
    const n = 9 + k * 2 + Math.floor(random() * 2);
    const at = (index: number): Point => {
      const turn = (index * 2 * Math.PI) / n - Math.PI / 2;
      return [60 + k * 100 + radius * Math.cos(turn), 60 + radius * Math.sin(turn)];
    };
    for (let index = 0; index < n; index++) {
      lines.push(line(at(index), at((index + 1) % n), 0.4));
      dots.push(dot(at(index), 2.4));
      if (random() < 0.5) lines.push(line(at(index), at((index + Math.floor(n / 3)) % n), 0.18));
    }
  }
};

const cube: Draw = (random, lines, dots) => {
  for (let k = 0; k < 4; k++) {
    const drawing = tesseract(110, 0.3 + k * 0.35 + random(), 1);
    const [dx, dy] = [k * 72 - 8, 5];
    for (const each of drawing.lines) {
      lines.push({
        ...each,
        x1: each.x1 + dx,
        x2: each.x2 + dx,
        y1: each.y1 + dy,
        y2: each.y2 + dy,
        opacity: each.opacity * 0.6,
      });
    }
    for (const each of drawing.dots)
      dots.push({ ...each, x: each.x + dx, y: each.y + dy, opacity: 0.7 });
  }
};

const DRAW: Readonly<Record<CoverKind, Draw>> = { torus, tree, butterfly, ring, cube };

/** The cover of an item: the same for the same kind and seed. */
export function coverDrawing(kind: CoverKind, seed: number): Drawing {
  const lines: Line[] = [];
  const dots: Dot[] = [];
  DRAW[kind](seeded(seed), lines, dots);
  return { lines, dots };
}

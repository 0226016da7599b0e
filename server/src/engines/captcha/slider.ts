/**
 * The built-in slider: a picture with a gap, the piece that fills it, and what a drag must look
 * like. The pictures are drawn here, anew for each challenge, so that no table of them helps.
 */
import { randomInt } from 'node:crypto';
import { PUZZLE, type TrackPoint } from '@hypercube/contract';
import sharp from 'sharp';

export interface Puzzle {
  /** PNG. */
  readonly background: Buffer;
  readonly piece: Buffer;
  /** How far down the piece lies, and how far along its gap: the secret. */
  readonly top: number;
  readonly gap: number;
}

const { width: WIDTH, height: HEIGHT, piece: PIECE } = PUZZLE;
/** The gap leaves a way to drag. */
const GAP_FROM = 84;
const HUES = 360;

const between = (from: number, to: number): number => randomInt(from, to + 1);
const pick = <T>(values: readonly [T, ...T[]]): T => values[randomInt(values.length)] ?? values[0];

/** A square with a bump above and a notch at the left, as pieces of a jigsaw have. */
const pieceShape = (x: number, y: number): string => {
  const bump = 7;
  const side = PIECE - bump;
  const top = y + bump;
  const middle = side / 2;
  return `M${x} ${top} h${middle - bump} a${bump} ${bump} 0 1 1 ${2 * bump} 0 h${middle - bump} v${side} h${-side} v${-(middle - bump)} a${bump} ${bump} 0 0 0 0 ${-2 * bump} z`;
};

/** Lines between nodes, as networks of machines are drawn, on a wash of two colours. */
function drawScene(): string {
  const hue = randomInt(HUES);
  const nodes = Array.from({ length: between(14, 20) }, () => ({
    x: between(-10, WIDTH + 10),
    y: between(-10, HEIGHT + 10),
  }));
  const colour = (): string =>
    `hsl(${(hue + between(-50, 50) + HUES) % HUES} ${between(35, 70)}% ${between(30, 80)}%)`;
  const lines = nodes.flatMap((node, index) =>
    [1, between(2, 5)].map((step) => {
      const other = nodes[(index + step) % nodes.length] ?? node;
      return `<line x1="${node.x}" y1="${node.y}" x2="${other.x}" y2="${other.y}" stroke="${colour()}" stroke-width="${between(1, 5)}" stroke-opacity="0.${between(5, 9)}"/>`;
    }),
  );
  const dots = nodes.map(
    ({ x, y }) =>
      `<circle cx="${x}" cy="${y}" r="${between(4, 16)}" fill="${colour()}" fill-opacity="0.${between(5, 9)}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="${pick(['0', '1'])}"><stop offset="0" stop-color="${colour()}"/><stop offset="1" stop-color="${colour()}"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/>${lines.join('')}${dots.join('')}</svg>`;
}

const svg = (content: string, width: number = WIDTH, height: number = HEIGHT): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`,
  );

/** Draws a new puzzle. */
export async function drawPuzzle(): Promise<Puzzle> {
  const gap = between(GAP_FROM, WIDTH - PIECE - 8);
  const top = between(6, HEIGHT - PIECE - 6);
  // Another dark shape, elsewhere: the darkest place alone is not the answer.
  const decoy = { x: between(20, WIDTH - 40), y: top > HEIGHT / 2 - PIECE / 2 ? 14 : HEIGHT - 34 };
  const scene = await sharp(Buffer.from(drawScene()))
    .composite([
      {
        // Grain, so that the piece's own edge is not the only edge.
        input: {
          create: {
            width: WIDTH,
            height: HEIGHT,
            channels: 3,
            background: '#808080',
            noise: { type: 'gaussian', mean: 128, sigma: 22 },
          },
        },
        blend: 'soft-light',
      },
    ])
    .removeAlpha()
    .png()
    .toBuffer();
  const shape = pieceShape(gap, top);
  const [background, cut] = await Promise.all([
    sharp(scene)
      .composite([
        {
          input: svg(
            `<circle cx="${decoy.x}" cy="${decoy.y}" r="${between(8, 12)}" fill="#000" fill-opacity="0.4"/>
             <path d="${shape}" fill="#0f172a" fill-opacity="0.${between(50, 62)}" stroke="#fff" stroke-opacity="0.55" stroke-width="1"/>`,
          ),
        },
      ])
      .png({ compressionLevel: 6 })
      .toBuffer(),
    sharp(scene).extract({ left: gap, top, width: PIECE, height: PIECE }).toBuffer(),
  ]);
  const piece = await sharp(cut)
    .ensureAlpha()
    .composite([
      { input: svg(`<path d="${pieceShape(0, 0)}" fill="#fff"/>`, PIECE, PIECE), blend: 'dest-in' },
      {
        input: svg(
          `<path d="${pieceShape(0, 0)}" fill="none" stroke="#fff" stroke-width="1.5"/>`,
          PIECE,
          PIECE,
        ),
      },
    ])
    .png({ compressionLevel: 6 })
    .toBuffer();
  return { background, piece, top, gap };
}

/** How near the piece must be let go, in pixels of the picture. */
const NEAR = 5;
const FEWEST_POINTS = 6;
const SHORTEST_MS = 150;
const LONGEST_MS = 60_000;
/** Nobody's hand moves evenly: how far it strays from even motion, as a share of the way. */
const LEAST_STRAY = 0.015;

/**
 * Whether a drag ends at the gap and was made by a hand: it begins at the beginning, takes a time
 * that people take, passes places in between, and does not move like a machine at one speed.
 */
export function isHumanDrag(track: readonly TrackPoint[], gap: number): boolean {
  const [first] = track;
  const last = track.at(-1);
  if (!first || !last || track.length < FEWEST_POINTS) return false;
  const [endX, , endMs] = last;
  const [, , beginMs] = first;
  const duration = endMs - beginMs;
  if (Math.abs(endX - gap) > NEAR || Math.abs(first[0]) > NEAR) return false;
  if (duration < SHORTEST_MS || duration > LONGEST_MS) return false;
  let stray = 0;
  let [beforeX, , beforeMs] = first;
  for (const [x, , ms] of track) {
    if (ms < beforeMs || Math.abs(x - beforeX) > gap * 0.6) return false;
    stray = Math.max(stray, Math.abs(x - (endX * (ms - beginMs)) / duration));
    [beforeX, beforeMs] = [x, ms];
  }
  return stray > gap * LEAST_STRAY;
}

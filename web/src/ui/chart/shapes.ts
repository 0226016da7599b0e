/** Maps as GeoJSON: each feature says by `code` which figures are its own. */

type Position = readonly [number, number];
type Ring = readonly Position[];
type Polygon = readonly Ring[];

export interface Shape {
  readonly type: 'Feature';
  readonly properties: {
    /** ISO 3166-2 within China, else ISO 3166-1. */
    readonly code: string;
    readonly name: string;
    /** Further codes that are counted here. */
    readonly includes?: readonly string[];
  };
  readonly geometry:
    | { readonly type: 'Polygon'; readonly coordinates: Polygon }
    | { readonly type: 'MultiPolygon'; readonly coordinates: readonly Polygon[] };
}
export interface Shapes {
  readonly type: 'FeatureCollection';
  readonly features: readonly Shape[];
}

const isPosition = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length >= 2 &&
  Math.abs(Number(value[0])) <= 180 &&
  Math.abs(Number(value[1])) <= 90;

/** Closed, and of a triangle at least. */
const isRing = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length >= 4 &&
  value.every(isPosition) &&
  String(value[0]) === String(value.at(-1));

const isPolygon = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isRing);

function isShape(value: unknown): value is Shape {
  const { type, properties, geometry } = (value ?? {}) as Partial<Shape>;
  if (type !== 'Feature' || typeof properties?.name !== 'string') return false;
  if (!/^[A-Z]{2}(-[A-Z]{2})?$/.test(properties.code)) return false;
  if (geometry?.type === 'Polygon') return isPolygon(geometry.coordinates);
  return (
    geometry?.type === 'MultiPolygon' &&
    Array.isArray(geometry.coordinates) &&
    geometry.coordinates.length > 0 &&
    geometry.coordinates.every(isPolygon)
  );
}

/**
 * The shapes of a map file, which an installation may have exchanged.
 * @throws when it is no such file
 */
export function readShapes(value: unknown): Shapes {
  const { type, features } = (value ?? {}) as Partial<Shapes>;
  if (type !== 'FeatureCollection' || !Array.isArray(features) || features.length === 0)
    throw new Error('not a collection of shapes');
  const broken = features.find((feature) => !isShape(feature));
  if (broken !== undefined)
    throw new Error(`a shape is broken: ${JSON.stringify(broken).slice(0, 80)}`);
  return { type, features };
}

/** The shape to which the figures of a code belong. */
export const shapeOf = (shapes: Shapes, code: string): Shape | undefined =>
  shapes.features.find(
    ({ properties }) => properties.code === code || properties.includes?.includes(code),
  );

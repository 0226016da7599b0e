/** Drawing of maps by ECharts, loaded only where a map stands. */
import { MapChart } from 'echarts/charts';
import { TooltipComponent, VisualMapComponent } from 'echarts/components';
import { init, registerMap, use, type EChartsType } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import type { ChartData } from './data.ts';
import { shapeOf, type Shapes } from './shapes.ts';

use([MapChart, TooltipComponent, VisualMapComponent, CanvasRenderer]);

/** Flat maps make the north wide; a world looks right a little less squeezed than a country. */
const ASPECT = { china: 0.75, world: 0.9 } as const;

export interface MapData {
  readonly name: keyof typeof ASPECT;
  readonly shapes: Shapes;
  /** Of each label, in order; null is nowhere on the map. */
  readonly codes: readonly (string | null)[];
}

/** Red, green and blue of `#rrggbb`, or of `#rgb`, to which a build shortens what it can. */
const partsOf = (colour: string): number[] => {
  const digits = colour.length === 4 ? colour.replaceAll(/[\da-f]/gi, '$&$&') : colour;
  return [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
};

/** A colour between two; opaque, since shapes lie above each other. */
function blend(from: string, to: string, share: number): string {
  const end = partsOf(to);
  const parts = partsOf(from).map((part, at) =>
    Math.round(part + ((end[at] ?? part) - part) * share),
  );
  return `rgb(${parts.join(', ')})`;
}

/** Draws into an element in the colours of the page, as they are now. @returns how to end it */
export function drawMap(element: HTMLElement, data: ChartData, map: MapData): () => void {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const [series] = data.series;
  // Codes that share a shape are one figure.
  const regions = new Map<string, { labels: string[]; value: number }>();
  map.codes.forEach((code, index) => {
    const shape = code === null ? undefined : shapeOf(map.shapes, code);
    if (!shape) return;
    const region = regions.get(shape.properties.name) ?? { labels: [], value: 0 };
    region.labels.push(data.labels[index] ?? '');
    region.value += series?.values[index] ?? 0;
    regions.set(shape.properties.name, region);
  });
  // To a map called `china` ECharts adds the inset of the South China Sea.
  registerMap(map.name, map.shapes as unknown as Parameters<typeof registerMap>[1]);
  const chart: EChartsType = init(element);
  const most = Math.max(1, ...[...regions.values()].map(({ value }) => value));
  chart.setOption({
    animation: false,
    tooltip: {
      trigger: 'item',
      backgroundColor: colour('--paper'),
      borderColor: colour('--line-2'),
      textStyle: { color: colour('--ink') },
      // Names of shapes are codes; what nobody comes from says nothing.
      formatter: ({ name }: { readonly name: string }) => {
        const region = regions.get(name);
        return region ? `${region.labels.join(' · ')}: ${region.value}` : '';
      },
    },
    visualMap: {
      type: 'continuous',
      min: 0,
      max: most,
      orient: 'horizontal',
      left: 0,
      bottom: 0,
      itemWidth: 10,
      itemHeight: 90,
      text: [String(most), '0'],
      textStyle: { color: colour('--ink-2') },
      // Few is still told from none.
      inRange: { color: [blend(colour('--paper'), colour('--accent'), 0.25), colour('--accent')] },
    },
    series: [
      {
        type: 'map',
        map: map.name,
        name: series?.name,
        aspectScale: ASPECT[map.name],
        top: 4,
        bottom: 32,
        left: 4,
        right: 4,
        selectedMode: false,
        itemStyle: {
          areaColor: colour('--sunken'),
          borderColor: colour('--line-control'),
          borderWidth: 0.5,
        },
        emphasis: { label: { show: false }, itemStyle: { areaColor: colour('--amber') } },
        data: [...regions].map(([name, { value }]) => ({ name, value })),
      },
    ],
  });
  const resize = new ResizeObserver(() => chart.resize());
  resize.observe(element);
  return () => {
    resize.disconnect();
    chart.dispose();
  };
}

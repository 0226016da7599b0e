/** Drawing by ECharts, of which only the parts in use are loaded, and only where a chart stands. */
import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use, type EChartsType } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import type { ChartData } from './data.ts';

use([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);

/** Draws into an element in the colours of the page, as they are now. @returns how to end it */
export function draw(element: HTMLElement, data: ChartData): () => void {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const chart: EChartsType = init(element);
  const isWide = data.direction !== 'across';
  const category = {
    type: 'category' as const,
    data: [...data.labels],
    inverse: !isWide,
    axisLine: { lineStyle: { color: colour('--line-2') } },
    axisTick: { show: false },
    axisLabel: {
      color: colour('--ink-3'),
      // A few names are all written, days only as many as there is room for.
      ...(data.labels.length <= (isWide ? 8 : 20) ? { interval: 0 } : {}),
      ...(isWide && data.labels.length <= 8
        ? { width: element.clientWidth / data.labels.length - 12, overflow: 'break' as const }
        : { fontSize: isWide ? 12 : 11 }),
    },
  };
  const value = {
    type: 'value' as const,
    minInterval: data.hasFractions ? 0 : 1,
    splitLine: { lineStyle: { color: colour('--line') } },
    axisLabel: { color: colour('--ink-3') },
  };
  chart.setOption({
    animation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    color: [1, 2, 3, 4, 5, 6].map((number) => colour(`--tag-${number}`)),
    textStyle: { fontFamily: style.fontFamily },
    grid: {
      left: 8,
      right: 16,
      top: data.series.length > 1 ? 36 : 12,
      bottom: 4,
      containLabel: true,
    },
    legend:
      data.series.length > 1
        ? { top: 0, type: 'scroll', textStyle: { color: colour('--ink-2') } }
        : { show: false },
    tooltip: {
      trigger: 'axis',
      backgroundColor: colour('--paper'),
      borderColor: colour('--line-2'),
      textStyle: { color: colour('--ink') },
    },
    xAxis: isWide ? category : value,
    yAxis: isWide ? value : category,
    series: data.series.map((series) => ({
      name: series.name,
      type: series.isLine ? ('line' as const) : ('bar' as const),
      data: [...series.values],
      stack: data.isStacked && !series.isLine ? 'all' : undefined,
      showSymbol: false,
      barMaxWidth: 28,
    })),
  });
  const resize = new ResizeObserver(() => chart.resize());
  resize.observe(element);
  return () => {
    resize.disconnect();
    chart.dispose();
  };
}

/** A chart with its question as a title, the same figures as a table, and an export of them. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { loadChunk } from '../../kernel/chunks.ts';
import { useMessages } from '../../kernel/language.tsx';
import { useTheme } from '../../kernel/theme.ts';
import { Button } from '../Button.tsx';
import { Segments } from '../Segments.tsx';
import { download, toCsv } from '../table/csv.ts';
import type { ChartData } from './data.ts';
import type { MapData } from './draw-map.ts';
import './chart.css';

function Drawing({
  data,
  label,
  map,
}: {
  readonly data: ChartData;
  readonly label: string;
  readonly map?: MapData | undefined;
}): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  // The colours of the page change with it.
  const theme = useTheme();
  const text = JSON.stringify(data);
  const places = map === undefined ? null : JSON.stringify([map.name, map.codes]);
  const shapes = map?.shapes;
  useEffect(() => {
    let end: (() => void) | undefined;
    let isOver = false;
    const show = async (): Promise<void> => {
      const shown = JSON.parse(text) as ChartData;
      if (places === null || shapes === undefined) {
        const { draw } = await loadChunk(() => import('./draw.ts'));
        if (!isOver && element.current) end = draw(element.current, shown);
        return;
      }
      const { drawMap } = await loadChunk(() => import('./draw-map.ts'));
      const [name, codes] = JSON.parse(places) as [MapData['name'], MapData['codes']];
      if (!isOver && element.current)
        end = drawMap(element.current, shown, { name, codes, shapes });
    };
    // The table says the same as what could not be drawn.
    show().catch(() => undefined);
    return () => {
      isOver = true;
      end?.();
    };
  }, [text, places, shapes, theme]);
  return (
    <figure
      ref={element}
      className={map ? 'chart-drawing chart-map' : 'chart-drawing'}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn on a canvas
      role="img"
      aria-label={label}
    />
  );
}

function Table({
  data,
  label,
  head,
}: {
  readonly data: ChartData;
  readonly label: string;
  readonly head: string;
}): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
    <section className="chart-table" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {data.series.map(({ name }) => (
              <th scope="col" key={name} className="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.labels.map((name, index) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {data.series.map((series) => (
                <td key={series.name} className="num">
                  {series.values[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Chart({
  name,
  title,
  head,
  data,
  map,
  note,
}: {
  /** Of the export's file. */
  readonly name: string;
  /** The question that it answers. */
  readonly title: string;
  /** What the labels are. */
  readonly head: string;
  readonly data: ChartData;
  /** Shows the figures of the first series on a map. */
  readonly map?: MapData | undefined;
  /** What the picture cannot say. */
  readonly note?: string | undefined;
}): ReactNode {
  const messages = useMessages();
  const words = messages.dashboard;
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const isEmpty = data.series.every(({ values }) => values.every((value) => value === 0));
  return (
    <section className="card chart" aria-label={title}>
      <div className="row row-apart chart-head">
        <h3>{title}</h3>
        <div className="row">
          <Segments
            label={words.view}
            value={view}
            options={[
              { value: 'chart', label: words.chart },
              { value: 'table', label: words.table },
            ]}
            onChange={setView}
          />
          <Button
            isSmall
            aria-label={words.exportOf(title)}
            onClick={() =>
              download(
                `${name}.csv`,
                toCsv([
                  [head, ...data.series.map((series) => series.name)],
                  ...data.labels.map((label, index) => [
                    label,
                    ...data.series.map(({ values }) => String(values[index] ?? 0)),
                  ]),
                ]),
              )
            }
          >
            {words.export}
          </Button>
        </div>
      </div>
      {view === 'table' ? (
        <Table data={data} label={title} head={head} />
      ) : isEmpty ? (
        <p className="muted chart-empty">{words.empty}</p>
      ) : (
        <Drawing data={data} label={title} map={map} />
      )}
      {note === undefined ? null : <p className="muted chart-note">{note}</p>}
    </section>
  );
}

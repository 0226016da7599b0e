/** What a chart shows, whatever draws it. */
export interface ChartData {
  readonly labels: readonly string[];
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly number[];
    readonly isLine?: boolean;
  }[];
  /** `across`: bars that lie, for long names. */
  readonly direction?: 'across';
  readonly isStacked?: boolean;
  readonly hasFractions?: boolean;
}

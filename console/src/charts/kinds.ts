/** What a part of a chart means. The colours are in charts.module.css, for light and for dark. */
export type ChartKind = 'good' | 'warning' | 'bad' | 'neutral' | 'running'

/** One bar of a bar chart or one segment of a share chart. */
export type ChartPart = {
  id: string
  label: string
  value: number
  kind?: ChartKind
  /** The list of what is counted. */
  to?: string
}

const paletteSize = 8

/** Parts without a meaning of their own get different colours, in their order. */
export const colourOf = (kind: ChartKind | undefined, index: number): string =>
  `var(--chart-${kind ?? `other-${(index % paletteSize) + 1}`})`

import type { StatusKind } from '../components/status-kinds.ts'

/** One bar of a bar chart or one segment of a share chart. */
export type ChartPart = {
  id: string
  label: string
  value: number
  kind?: StatusKind
  /** The list of what is counted. */
  to?: string
}

const paletteSize = 8

/** The colours are in charts.module.css, for light and for dark. Parts without a meaning of their own get different colours, in their order. */
export const colourOf = (kind: StatusKind | undefined, index: number): string =>
  `var(--chart-${kind ?? `other-${(index % paletteSize) + 1}`})`

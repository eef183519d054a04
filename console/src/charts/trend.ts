import type { ChartKind } from './kinds.ts'

/** The figures of one moment. What was not recorded then is null or absent. */
export type TrendPoint = { atUtc: string } & { readonly [series: string]: number | string | null | undefined }

export type TrendSeries = { id: string; label: string; kind?: ChartKind }

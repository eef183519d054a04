import type { StatusKind } from '../components/status-kinds.ts'

/** The figures of one moment. What was not recorded then is null or absent. */
export type TrendPoint = { atUtc: string } & { readonly [series: string]: number | string | null | undefined }

export type TrendSeries = { id: string; label: string; kind?: StatusKind }

/** A span of time that a trend marks, such as a pause. Without an end, it lasts until now. */
export type TrendSpan = { fromUtc: string; untilUtc: string | null }

/** What a trend marks besides its lines. */
export type TrendMarks = { spans: readonly TrendSpan[]; spanLabel: string; nowUtc?: string | undefined }

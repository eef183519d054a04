import { Skeleton } from '@mantine/core'
import type { TrendPoint } from '../../charts/trend.ts'
import { TrendChart } from '../../charts/trend-chart.tsx'
import { toTrendPoints } from './trend-points.ts'
import { beginningOf, type TrendSpan, type useHistory } from './use-overview.ts'

const height = 130

type TrendProps = Pick<Parameters<typeof TrendChart>[0], 'title' | 'series'> &
  ReturnType<typeof useHistory> & { current?: TrendPoint | undefined }

/** How some figures developed, in the last month or in the first days. */
export function Trend({ span, history, current, ...chart }: TrendProps) {
  if (!history) return <Skeleton height={height + 80} />
  const points = toTrendPoints(history, current)
  return (
    <TrendChart {...chart} data={points} height={height} atUtc={points.at(-1)?.atUtc} fromUtc={beginningOfAxis(span)} />
  )
}

/** A month begins a month ago even if the samples do not; otherwise a week would look like it. Rounded: it is not drawn again. */
const beginningOfAxis = (span: TrendSpan) =>
  span === 'month' ? beginningOf(span).slice(0, 'YYYY-MM-DD'.length) : undefined

import type { components } from '../../api/types.ts'
import type { TrendMarks } from '../../charts/trend.ts'
import { TrendChart } from '../../charts/trend-chart.tsx'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'

type Point = components['schemas']['TimeLinePoint']

type WorkTrendProps = { points: readonly Point[]; atUtc: string | null; marks?: TrendMarks }

/** How many work items were in each state over time. With marks, the numbers are left to the page, which counts computers. */
export function WorkTrend({ points, atUtc, marks }: WorkTrendProps) {
  const rollouts = useRolloutTexts()
  const { results } = rollouts
  return (
    <TrendChart
      title={rollouts.rollout.workItems}
      atUtc={atUtc ?? undefined}
      {...(marks && { marks, isShapeOnly: true })}
      height={220}
      data={points.map(({ fromUtc, ...counts }) => ({ atUtc: fromUtc, ...counts }))}
      series={[
        { id: 'succeeded', label: results.succeeded, kind: 'good' },
        { id: 'failed', label: results.failed, kind: 'bad' },
        { id: 'leased', label: results.running, kind: 'running' },
        { id: 'due', label: results.waitingOrRetried, kind: 'neutral' },
      ]}
    />
  )
}

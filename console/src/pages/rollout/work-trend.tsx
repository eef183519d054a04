import type { components } from '../../api/types.ts'
import { TrendChart } from '../../charts/trend-chart.tsx'
import { useTexts } from '../../texts/texts.tsx'

type Point = components['schemas']['TimeLinePoint']

/** How many work items were in each state over time. */
export function WorkTrend({ points, atUtc }: { points: readonly Point[]; atUtc: string | null }) {
  const { rollouts } = useTexts()
  const { results } = rollouts
  return (
    <TrendChart
      title={rollouts.rollout.workItems}
      atUtc={atUtc ?? undefined}
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

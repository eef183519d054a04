import { SimpleGrid, Skeleton, Text } from '@mantine/core'
import type { TrendPoint } from '../../charts/trend.ts'
import { TrendChart } from '../../charts/trend-chart.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { toCurrentPoint, toTrendPoints } from './trend-points.ts'
import { type History, type Overview, useHistory } from './use-overview.ts'

const height = 130

/** How the fleet developed. Each trend has a scale of its own: few failures among many computers remain visible. */
export function FleetTrends({ statistics }: Pick<Overview, 'statistics'>) {
  const { overview } = useTexts()
  const { trends } = overview
  const { data: computers } = useHistory('computers')
  const { data: patches } = useHistory('missingPatches')
  const current = toCurrentPoint(statistics)
  return (
    <Section title={trends.title}>
      {computers && patches && computers.timesUtc.length < 2 ? (
        <Text size="sm" c="dimmed">
          {trends.begins}
        </Text>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
          <Trend
            title={trends.reporting}
            history={computers}
            current={current}
            series={[
              { id: 'total', label: trends.all, kind: 'neutral' },
              { id: 'reporting', label: trends.reporting, kind: 'good' },
            ]}
          />
          <Trend
            title={trends.failures}
            history={computers}
            current={current}
            series={[{ id: 'withFailures', label: overview.issueNames['failed-deployment'], kind: 'bad' }]}
          />
          <Trend
            title={trends.missingPatches}
            history={patches}
            series={[
              { id: 'Critical', label: trends.critical, kind: 'bad' },
              { id: 'Important', label: trends.important, kind: 'warning' },
            ]}
          />
        </SimpleGrid>
      )}
    </Section>
  )
}

type TrendProps = Pick<Parameters<typeof TrendChart>[0], 'title' | 'series'> & {
  history: History | undefined
  current?: TrendPoint | undefined
}

function Trend({ history, current, ...chart }: TrendProps) {
  if (!history) return <Skeleton height={height + 80} />
  const points = toTrendPoints(history, current)
  return <TrendChart {...chart} data={points} height={height} atUtc={points.at(-1)?.atUtc} />
}

import { SimpleGrid, Skeleton } from '@mantine/core'
import type { TrendPoint } from '../../charts/trend.ts'
import { TrendChart } from '../../charts/trend-chart.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { toCurrentPoint, toTrendPoints } from './trend-points.ts'
import { beginningOf, type Overview, type TrendSpan, useHistory } from './use-overview.ts'

const height = 130

/** How the fleet developed. Each trend has a scale of its own: few failures among many computers remain visible. */
export function FleetTrends({ statistics }: Pick<Overview, 'statistics'>) {
  const { overview } = useTexts()
  const { trends } = overview
  const computers = useHistory('computers')
  const patches = useHistory('missingPatches')
  const current = toCurrentPoint(statistics)
  return (
    <Section title={trends.titles[computers.span]}>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
        <Trend
          title={trends.reporting}
          {...computers}
          current={current}
          series={[
            { id: 'total', label: trends.all, kind: 'neutral' },
            { id: 'reporting', label: trends.reporting, kind: 'good' },
          ]}
        />
        <Trend
          title={trends.failures}
          {...computers}
          current={current}
          series={[{ id: 'withFailures', label: overview.issueNames['failed-deployment'], kind: 'bad' }]}
        />
        <Trend
          title={trends.missingPatches}
          {...patches}
          series={[
            { id: 'Critical', label: trends.critical, kind: 'bad' },
            { id: 'Important', label: trends.important, kind: 'warning' },
          ]}
        />
      </SimpleGrid>
    </Section>
  )
}

type TrendProps = Pick<Parameters<typeof TrendChart>[0], 'title' | 'series'> &
  ReturnType<typeof useHistory> & { current?: TrendPoint | undefined }

function Trend({ span, history, current, ...chart }: TrendProps) {
  if (!history) return <Skeleton height={height + 80} />
  const points = toTrendPoints(history, current)
  return (
    <TrendChart {...chart} data={points} height={height} atUtc={points.at(-1)?.atUtc} fromUtc={beginningOfAxis(span)} />
  )
}

/** A month begins a month ago even if the samples do not; otherwise a week would look like it. Rounded: it is not drawn again. */
const beginningOfAxis = (span: TrendSpan) =>
  span === 'month' ? beginningOf(span).slice(0, 'YYYY-MM-DD'.length) : undefined

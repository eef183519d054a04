import { SimpleGrid } from '@mantine/core'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Trend } from './trend.tsx'
import { toCurrentPoint } from './trend-points.ts'
import { type Overview, useHistory } from './use-overview.ts'

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

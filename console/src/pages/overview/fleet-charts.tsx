import { Paper, SimpleGrid } from '@mantine/core'
import { BarChart } from '../../charts/bar-chart.tsx'
import type { ChartPart } from '../../charts/kinds.ts'
import { ShareChart } from '../../charts/share-chart.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import { type Texts, textFor, useTexts } from '../../texts/texts.tsx'
import { computersWith } from './addresses.ts'
import type { FleetCounts } from './use-overview.ts'

const maxSystems = 7

/** What the fleet consists of. Each part leads to the computers that it counts. */
export function FleetCharts({ counts, atUtc }: { counts: FleetCounts; atUtc: string | undefined }) {
  const { overview } = useTexts()
  const { charts } = overview
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Paper withBorder p="md">
        <ShareChart title={charts.agentStatus} parts={agentParts(counts, overview)} atUtc={atUtc} />
      </Paper>
      <Paper withBorder p="md">
        <BarChart title={charts.patchAge} bars={patchAgeBars(counts, overview)} atUtc={atUtc} />
      </Paper>
      <Paper withBorder p="md">
        <BarChart title={charts.issues} bars={issueBars(counts, overview)} atUtc={atUtc} />
      </Paper>
      <Paper withBorder p="md">
        <BarChart title={charts.operatingSystems} bars={systemBars(counts, overview)} atUtc={atUtc} />
      </Paper>
    </SimpleGrid>
  )
}

type OverviewTexts = Texts['overview']

const agentKinds = { Reporting: 'good', Stale: 'warning', Silent: 'bad', Unknown: 'neutral' } as const

function agentParts({ agentStatus }: FleetCounts, texts: OverviewTexts): ChartPart[] {
  return (Object.keys(agentKinds) as (keyof typeof agentKinds)[]).map((status) => ({
    id: status,
    label: texts.agentStatuses[status],
    value: agentStatus[status],
    kind: agentKinds[status],
    to: computersWith({ agentStatus: [status] }),
  }))
}

const ageKinds: Record<keyof FleetCounts['patchAge'], StatusKind> = {
  NoneMissing: 'good',
  UpTo7Days: 'running',
  UpTo30Days: 'warning',
  UpTo90Days: 'warning',
  Older: 'bad',
  Unknown: 'neutral',
  NotScanned: 'neutral',
}

function patchAgeBars({ patchAge }: FleetCounts, texts: OverviewTexts): ChartPart[] {
  return (Object.keys(ageKinds) as (keyof typeof ageKinds)[]).map((age) => ({
    id: age,
    label: texts.patchAges[age],
    value: patchAge[age],
    kind: ageKinds[age],
    to: computersWith({ patchAge: [age] }),
  }))
}

function issueBars({ issues }: FleetCounts, texts: OverviewTexts): ChartPart[] {
  return issues
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .map(({ issue, count }) => ({
      id: issue,
      label: textFor(texts.issueNames, issue) ?? issue,
      value: count,
      kind: 'warning',
      to: computersWith({ issue: [issue] }),
    }))
}

function systemBars({ operatingSystems, computers }: FleetCounts, texts: OverviewTexts): ChartPart[] {
  const shown = operatingSystems.slice(0, maxSystems)
  const others = computers - shown.reduce((sum, { count }) => sum + count, 0)
  return [
    ...shown.map(({ operatingSystem, count }) => ({
      id: operatingSystem ?? '',
      label: operatingSystem ?? texts.unknownSystem,
      value: count,
      // An empty text selects computers whose operating system is unknown.
      to: computersWith({ operatingSystem: [operatingSystem ?? ''] }),
    })),
    ...(others > 0 ? [{ id: 'others', label: texts.otherSystems, value: others, kind: 'neutral' as const }] : []),
  ]
}

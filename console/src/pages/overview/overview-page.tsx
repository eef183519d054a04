import { Skeleton, Stack } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { DataAge } from '../../components/data-age.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Decisions } from './decisions.tsx'
import { FleetTrends } from './fleet-trends.tsx'
import { NoFleetAccess } from './no-fleet-access.tsx'
import { RunningWork } from './running-work.tsx'
import { Tiles } from './tiles.tsx'
import { type Overview, useOverview } from './use-overview.ts'

// Below what fits on a screen.
const FleetCharts = lazy(async () => ({ default: (await import('./fleet-charts.tsx')).FleetCharts }))

// Most fleets need them no longer, so the first view loads them only where they are shown.
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps/first-steps.tsx')).FirstSteps }))

export function OverviewPage() {
  const { overview } = useTexts()
  if (useHasRole('computer.read')) return <FleetOverview />
  return (
    <Page title={overview.title}>
      <Decisions />
      <NoFleetAccess />
    </Page>
  )
}

function FleetOverview() {
  const { overview } = useTexts()
  const { data, error, refetch } = useOverview()
  const atUtc = data?.statistics.calculatedAtUtc
  return (
    <Page title={overview.title} intro={atUtc ? <DataAge atUtc={atUtc} /> : overview.notCounted}>
      <Decisions />
      {data ? <Content overview={data} /> : error ? <ProblemView error={error} onRetry={refetch} /> : <Placeholder />}
    </Page>
  )
}

/** A new installation begins with the first steps. Later they are below the figures, until they are done. */
function Content({ overview }: { overview: Overview }) {
  const { statistics, steps } = overview
  const { counts } = statistics
  if (!steps.hasComputer) return <Steps steps={steps} />
  return (
    <>
      {!steps.hasDeployment && <Steps steps={steps} />}
      {counts && <Tiles counts={counts} />}
      <RunningWork overview={overview} />
      <FleetTrends statistics={statistics} />
      <Suspense fallback={<Skeleton height={640} />}>
        {counts && <FleetCharts counts={counts} atUtc={statistics.calculatedAtUtc ?? undefined} />}
      </Suspense>
      {steps.hasDeployment && <Steps steps={steps} />}
    </>
  )
}

function Steps({ steps }: Pick<Overview, 'steps'>) {
  return (
    <Suspense>
      <FirstSteps steps={steps} canHide={steps.hasDeployment} />
    </Suspense>
  )
}

function Placeholder() {
  return (
    <Stack>
      <Skeleton height={104} />
      <Skeleton height={140} />
      <Skeleton height={240} />
    </Stack>
  )
}

import { Alert, Anchor, Group, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { packageTrialEvents } from '../../api/package-trials.ts'
import { type PackagePageData, packagePageQuery, packageVersionQuery } from '../../api/packages.ts'
import { IconAlertTriangle } from '../../components/icons.ts'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { Section } from '../../components/section.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useLive } from '../../live/use-live.ts'
import { useTexts } from '../../texts/texts.tsx'
import { JobProgress } from '../packages/job-progress.tsx'
import { HashBadge, ReleaseBadge, SignatureBadge } from '../packages/package-badges.tsx'
import { FailureCauses } from './failure-causes.tsx'
import { LineSection } from './line/line-section.tsx'
import { PackageActions } from './package-actions.tsx'
import { PackageFacts } from './package-facts.tsx'
import { PackageRelations } from './package-relations.tsx'
import { PackageStatus } from './package-status.tsx'
import { PackageVersions } from './package-versions.tsx'
import { PackageTrial } from './trial/package-trial.tsx'

export function PackagePage() {
  const { id = '' } = useParams()
  const { packages } = useTexts()
  const found = useQuery(packagePageQuery(id))
  const version = useQuery(packageVersionQuery(id))
  useLive({
    types: [
      ...['muster.package.*', 'muster.deployment.*', 'muster.assignment.*', 'muster.rollout.*'],
      ...packageTrialEvents,
    ],
    refreshes: [['package', id]],
  })
  const { data } = found
  if (!data)
    return (
      <Page title={packages.title}>
        {found.error ? <ProblemView error={found.error} onRetry={found.refetch} /> : <Loading height={240} />}
      </Page>
    )
  const { name, version: number } = data.package
  return (
    <Page
      title={[name, number].filter(Boolean).join(' ')}
      intro={<Summary page={data} />}
      actions={
        <>
          <RefreshButton {...found} />
          <PackageActions page={data} version={version.data} />
        </>
      }
    >
      <Content page={data} />
    </Page>
  )
}

function Summary({ page }: { page: PackagePageData }) {
  const { packages } = useTexts()
  return (
    <Group gap="xs" mt={4}>
      <Anchor component={Link} to="/packages" size="sm">
        {packages.title}
      </Anchor>
      <ReleaseBadge {...page.package} />
      <HashBadge {...page.package} />
      <SignatureBadge {...page.package} />
    </Group>
  )
}

function Content({ page }: { page: PackagePageData }) {
  const { packages } = useTexts()
  const { values, clear } = useFilters(['job', 'import'])
  const jobId = values.job || values.import
  const { id, operational, hashState, kind } = page.package
  return (
    <>
      {jobId && (
        <JobProgress
          key={jobId}
          trackingId={jobId}
          title={values.job ? packages.importing.ofHash : packages.importing.ofImport}
          onHide={clear}
        />
      )}
      {hashState === 'Mismatch' && <Notice text={packages.page.mismatch} colour="red" />}
      {!operational && page.status.total > 0 && <Notice text={packages.page.notReleased} colour="orange" />}
      <PackageStatus page={page} />
      {kind === 'Software' && <PackageTrial found={page.package} />}
      <Section title={packages.page.failures}>
        <FailureCauses
          causes={page.failureCauses}
          empty={page.failureCauses ? packages.page.noFailures : packages.page.failuresNeedRole}
        />
      </Section>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <PackageFacts page={page} />
        {!isInLine(page.package) && <PackageVersions versions={page.versions} ownId={id} />}
        <PackageRelations relations={page.relations} onlyFor={page.onlyFor} />
      </SimpleGrid>
      {isInLine(page.package) && <LineSection packageId={id} />}
    </>
  )
}

/** Software that runs in the operating system. Only its versions can be upgraded and rolled back. */
const isInLine = ({ type, subType, packageName }: PackagePageData['package']) =>
  type === 'Software' && subType === null && packageName !== null

function Notice({ text, colour }: { text: string; colour: string }) {
  return (
    <Alert color={colour} icon={<IconAlertTriangle aria-hidden />}>
      {text}
    </Alert>
  )
}

import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { answerOf, api } from '../../api/client.ts'
import type { Package } from '../../api/packages.ts'
import { DataTable } from '../../components/data-table.tsx'
import { IconPlus } from '../../components/icons.ts'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useLive } from '../../live/use-live.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { usePackageLineTexts } from '../../texts/package-line-texts.ts'
import { useRepositoryPackageTexts } from '../../texts/repository-package-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useWingetTexts } from '../../texts/winget-texts.ts'
import { CountAge, countedAt } from './count-age.tsx'
import { ImportPanel, useImportForm } from './import-panel.tsx'
import { JobProgress } from './job-progress.tsx'
import { usePackageColumns } from './package-columns.tsx'
import { PackageFilterBar, packageFilters } from './package-filter-bar.tsx'
import { RepositoryPanel } from './repositories/repository-panel.tsx'
import { UploadsSection } from './uploads/uploads-section.tsx'

const WingetPanel = lazy(async () => ({ default: (await import('./winget/winget-panel.tsx')).WingetPanel }))

const pageSize = 50

/** The fleet is counted once a minute or less often if it is so large that packages are counted with it. */
const countMilliseconds = 60_000

const yesOrNo = ['true', 'false']

const toProgress = (trackingId: string) => `/packages?job=${trackingId}`

export function PackagesPage() {
  const { packages, common } = useTexts()
  const { open: fromRepository } = useRepositoryPackageTexts()
  const { title: versions } = usePackageLineTexts()
  const { open: fromWinget } = useWingetTexts()
  const filters = useFilters(packageFilters, { operational: yesOrNo, failing: yesOrNo })
  const job = useFilters(['job'])
  const mayImport = useHasRole('package.write')
  // The address may name a folder to import, as that of the first steps does.
  const { import: folderPath } = useFilters(['import']).values
  const [isImporting, importing] = useDisclosure(mayImport && folderPath !== '')
  const [isAdding, adding] = useDisclosure(false)
  const [isSearching, searching] = useDisclosure(false)
  const form = useImportForm({ folderPath, overwrite: false })
  const list = usePackages(filters)
  useLive({ types: ['muster.package.*', 'muster.deployment.*'], refreshes: [['packages']] })
  const { job: jobId } = job.values
  return (
    <Page
      title={packages.title}
      intro={packages.intro}
      actions={
        <>
          <RefreshButton {...list} />
          <Button variant="default" component={Link} to="/package-lines">
            {versions}
          </Button>
          {mayImport && (
            <Button variant="default" onClick={adding.open}>
              {fromRepository}
            </Button>
          )}
          {mayImport && (
            <Button variant="default" onClick={searching.open}>
              {fromWinget}
            </Button>
          )}
          {mayImport && (
            <Button onClick={importing.open} leftSection={<IconPlus size={16} aria-hidden />}>
              {packages.import}
            </Button>
          )}
        </>
      }
    >
      {jobId && <JobProgress key={jobId} trackingId={jobId} onHide={job.clear} onRepeat={importing.open} />}
      {mayImport && <UploadsSection toProgress={toProgress} />}
      <PackageFilterBar filters={filters} />
      {list.data && <CountAge counted={list.data.items} />}
      <DataTable
        caption={packages.title}
        columns={usePackageColumns()}
        rows={list.data?.items}
        rowKey={({ id }) => id}
        error={list.error}
        onRetry={list.refetch}
        empty={
          filters.areSet
            ? { title: common.nothingFound, text: common.nothingFoundHint }
            : { title: packages.emptyTitle, text: packages.emptyText }
        }
        footer={
          <Pager skip={filters.skip} top={pageSize} total={list.data?.totalCount ?? 0} onSkip={filters.setSkip} />
        }
      />
      {isSearching && (
        <Suspense>
          <WingetPanel onClose={searching.close} toProgress={toProgress} />
        </Suspense>
      )}
      {isAdding && <RepositoryPanel onClose={adding.close} toProgress={toProgress} />}
      <ImportPanel isOpen={isImporting} onClose={importing.close} form={form} toProgress={toProgress} />
    </Page>
  )
}

function usePackages({ values, skip }: ReturnType<typeof useFilters<(typeof packageFilters)[number]>>) {
  const { search, operational, hashState, kind, failing } = values
  const query = {
    ...(search && { search }),
    ...(operational && { operational: operational === 'true' }),
    ...(failing && { failing: failing === 'true' }),
    ...(hashState && { hashState: hashState as Package['hashState'] }),
    ...(kind && { kind: kind as Package['kind'] }),
    skip,
    top: pageSize,
  }
  return useQuery({
    queryKey: ['packages', query],
    queryFn: () => answerOf(api.GET('/api/fleet/packages', { params: { query } })),
    placeholderData: keepPreviousData,
    // No event says that the packages of many computers were counted.
    refetchInterval: ({ state: { data } }) => (data && countedAt(data.items) ? countMilliseconds : false),
  })
}

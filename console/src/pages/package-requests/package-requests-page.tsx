import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import {
  type PackageRequest,
  type PackageRequestState,
  packageRequestEvents,
  packageRequestStates,
  packageRequestsKey,
} from '../../api/package-requests.ts'
import { DataTable } from '../../components/data-table.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useLive } from '../../live/use-live.ts'
import { usePackageRequestTexts } from '../../texts/package-request-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ApproveRequestDialog, DeclineRequestDialog } from './decision-dialogs.tsx'
import { useRequestColumns } from './request-columns.tsx'

const pageSize = 50

/** What users of computers ask for, and the decisions about it. */
export function PackageRequestsPage() {
  const { shell, common } = useTexts()
  const texts = usePackageRequestTexts()
  useLive({ types: packageRequestEvents, refreshes: [packageRequestsKey] })
  const filters = useFilters(['state'], { state: packageRequestStates })
  const [approving, setApproving] = useState<PackageRequest>()
  const [declining, setDeclining] = useState<PackageRequest>()
  const state = filters.values.state as PackageRequestState | ''
  const query = { skip: filters.skip, top: pageSize, ...(state && { state }) }
  const list = useQuery({
    queryKey: [...packageRequestsKey, query],
    queryFn: () => answerOf(api.GET('/api/package-requests', { params: { query } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title={shell.packageRequests} intro={texts.intro} actions={<RefreshButton {...list} />}>
      <FilterBar filters={filters}>
        <Select
          label={texts.state}
          placeholder={common.all}
          data={packageRequestStates.map((value) => ({ value, label: texts.states[value] }))}
          value={state || null}
          onChange={(value) => filters.set({ state: value ?? '' })}
          clearable
        />
      </FilterBar>
      <DataTable
        caption={shell.packageRequests}
        columns={useRequestColumns({ onApprove: setApproving, onDecline: setDeclining })}
        rows={list.data?.items}
        rowKey={({ requestId }) => requestId}
        error={list.error}
        onRetry={list.refetch}
        empty={
          filters.areSet
            ? { title: common.nothingFound, text: common.nothingFoundHint }
            : { title: texts.emptyTitle, text: texts.emptyText }
        }
        footer={
          <Pager skip={filters.skip} top={pageSize} total={list.data?.totalCount ?? 0} onSkip={filters.setSkip} />
        }
      />
      <ApproveRequestDialog request={approving} onClose={() => setApproving(undefined)} />
      <DeclineRequestDialog request={declining} onClose={() => setDeclining(undefined)} />
    </Page>
  )
}

import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Approval,
  type ApprovalState,
  approvalEvents,
  approvalStates,
  approvalsKey,
} from '../../api/blast-radius.ts'
import { answerOf, api } from '../../api/client.ts'
import { DataTable } from '../../components/data-table.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useLive } from '../../live/use-live.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useApprovalColumns } from './approval-columns.tsx'
import { ApproveDialog, DenyDialog } from './decision-dialogs.tsx'

const pageSize = 50

export function ApprovalsPage() {
  const { approvals, common } = useTexts()
  useLive({ types: approvalEvents, refreshes: [approvalsKey] })
  const filters = useFilters(['state'], { state: approvalStates })
  const [approving, setApproving] = useState<Approval>()
  const [denying, setDenying] = useState<Approval>()
  const state = filters.values.state as ApprovalState | ''
  const query = { skip: filters.skip, top: pageSize, ...(state && { state }) }
  const list = useQuery({
    queryKey: [...approvalsKey, query],
    queryFn: () => answerOf(api.GET('/api/approvals', { params: { query } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title={approvals.title} intro={approvals.intro} actions={<RefreshButton {...list} />}>
      <FilterBar filters={filters}>
        <Select
          label={approvals.state}
          placeholder={common.all}
          data={approvalStates.map((value) => ({ value, label: approvals.states[value] }))}
          value={state || null}
          onChange={(value) => filters.set({ state: value ?? '' })}
          clearable
        />
      </FilterBar>
      <DataTable
        caption={approvals.title}
        columns={useApprovalColumns({ onApprove: setApproving, onDeny: setDenying })}
        rows={list.data?.items}
        rowKey={({ approvalId }) => approvalId}
        error={list.error}
        onRetry={list.refetch}
        empty={
          filters.areSet
            ? { title: common.nothingFound, text: common.nothingFoundHint }
            : { title: approvals.emptyTitle, text: approvals.emptyText }
        }
        footer={
          <Pager skip={filters.skip} top={pageSize} total={list.data?.totalCount ?? 0} onSkip={filters.setSkip} />
        }
      />
      <ApproveDialog approval={approving} onClose={() => setApproving(undefined)} />
      <DenyDialog approval={denying} onClose={() => setDenying(undefined)} />
    </Page>
  )
}

import { Anchor, Badge } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AuditEntry, answerOf, api } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { utcTime, wholeNumber } from '../../components/unknown-filter.ts'
import { useFilters } from '../../components/use-filters.ts'
import { useAuditTexts } from '../../texts/audit-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { AuditEntryDrawer } from './audit-entry-drawer.tsx'
import { AuditFilterBar, auditFilters } from './audit-filter-bar.tsx'
import { AuditSentence } from './audit-sentence.tsx'

const pageSize = 50

export function AuditPage() {
  const texts = useTexts()
  const audit = useAuditTexts()
  const filters = useFilters(auditFilters, { principalId: wholeNumber, after: utcTime, before: utcTime })
  const [shown, setShown] = useState<AuditEntry>()
  const columns = useColumns(setShown)
  const { principalId, ...texted } = filters.values
  const query = {
    ...Object.fromEntries(Object.entries(texted).filter(([, value]) => value !== '')),
    ...(principalId && { principalId: Number(principalId) }),
    skip: filters.skip,
    top: pageSize,
  }
  const entries = useQuery({
    queryKey: ['audit', query],
    queryFn: () => answerOf(api.GET('/api/audit', { params: { query } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title={texts.shell.audit} intro={audit.intro} actions={<RefreshButton {...entries} />}>
      <AuditFilterBar filters={filters} />
      <DataTable
        caption={texts.shell.audit}
        columns={columns}
        rows={entries.data?.items}
        rowKey={({ id }) => id}
        error={entries.error}
        onRetry={entries.refetch}
        empty={
          filters.areSet
            ? { title: texts.common.nothingFound, text: texts.common.nothingFoundHint }
            : { title: audit.emptyTitle, text: audit.emptyText }
        }
        footer={
          <Pager skip={filters.skip} top={pageSize} total={entries.data?.totalCount ?? 0} onSkip={filters.setSkip} />
        }
      />
      <AuditEntryDrawer
        entry={shown}
        onFilter={(changes) => {
          filters.setOnly(changes)
          setShown(undefined)
        }}
        onClose={() => setShown(undefined)}
      />
    </Page>
  )
}

function useColumns(onShow: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  const { columns, details } = useAuditTexts()
  return [
    { id: 'time', title: columns.time, width: 190, cell: ({ occurredAtUtc }) => <Moment at={occurredAtUtc} /> },
    { id: 'what', title: columns.what, cell: (entry) => <AuditSentence entry={entry} /> },
    {
      id: 'operation',
      title: columns.operation,
      width: 240,
      cell: (entry) => (
        <Anchor
          component="button"
          type="button"
          fz="sm"
          ta="left"
          aria-label={`${entry.operation}: ${details(entry.id)}`}
          onClick={() => onShow(entry)}
        >
          {entry.operation}
        </Anchor>
      ),
    },
    { id: 'status', title: columns.status, width: 90, cell: ({ status }) => <StatusBadge status={status} /> },
  ]
}

function StatusBadge({ status }: { status: number }) {
  return <Badge color={status < 400 ? 'green' : 'red'}>{status}</Badge>
}

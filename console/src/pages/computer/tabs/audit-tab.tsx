import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type AuditEntry, answerOf, api } from '../../../api/client.ts'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { LoadMore } from '../../../components/load-more.tsx'
import { Moment } from '../../../components/moment.tsx'
import { useHasRole } from '../../../shell/session-context.ts'
import { textFor, useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { usePagedItems } from './use-paged-items.ts'

/** Who changed what about the computer. */
export function AuditTab({ id }: { id: number }) {
  const { audit: texts } = useTexts().computer
  const [mayManage, mayRead] = [useHasRole('admin.manage'), useHasRole('audit.read')]
  if (!mayManage && !mayRead) return <Text c="dimmed">{texts.needsRole}</Text>
  return <Entries id={id} />
}

function Entries({ id }: { id: number }) {
  const { audit: texts, tabs } = useTexts().computer
  const target = `/api/computer/${id}`
  const { query, items } = usePagedItems([...computerKey(id), 'audit'], (page) =>
    answerOf(api.GET('/api/audit', { params: { query: { ...page, target } } })),
  )
  const columns: Column<AuditEntry>[] = [
    { id: 'time', title: texts.columns.time, width: 190, cell: ({ occurredAtUtc }) => <Moment at={occurredAtUtc} /> },
    { id: 'who', title: texts.columns.who, width: 240, cell: ({ principalName }) => principalName },
    { id: 'what', title: texts.columns.what, cell: (entry) => <AuditWords entry={entry} /> },
  ]
  return (
    <DataTable
      caption={tabs.audit}
      columns={columns}
      rows={items}
      rowKey={({ id }) => id}
      error={query.error}
      onRetry={query.refetch}
      empty={{ title: texts.none, text: texts.noneHint }}
      footer={
        <>
          <LoadMore query={query} />
          <Text size="sm" p="sm" ta="right">
            <Anchor component={Link} to={`/admin/audit?target=${encodeURIComponent(target)}`} fz="inherit">
              {texts.openTrail}
            </Anchor>
          </Text>
        </>
      }
    />
  )
}

/** What somebody did, with the names of the objects that the request mentions besides the computer. */
function AuditWords({ entry }: { entry: AuditEntry }) {
  const { audit: texts } = useTexts().computer
  const others = entry.names.filter(({ kind }) => kind !== 'Computer').map(({ name }) => name)
  const what = textFor(texts.operations, entry.operation) ?? entry.operation
  return <>{others.length > 0 ? `${what}: ${others.join(', ')}` : what}</>
}

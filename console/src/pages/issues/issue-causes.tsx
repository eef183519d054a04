import { Anchor, Button, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { type IssueCause, type IssuePageData, isKnownCause } from './issue-queries.ts'
import classes from './issues.module.css'

/** What computers with the issue have in common. A chosen cause is in the address and selects the computers below. */
export function IssueCauses({ page }: { page: IssuePageData }) {
  const { issues } = useTexts()
  return (
    <TitledTable title={issues.causes}>
      <DataTable
        caption={issues.causes}
        columns={useColumns(page)}
        rows={page.causes}
        rowKey={({ causeId }) => causeId}
        error={undefined}
        onRetry={() => undefined}
        empty={{ title: issues.emptyTitle, text: issues.emptyText }}
      />
    </TitledTable>
  )
}

function useColumns({ causeKind }: IssuePageData): Column<IssueCause>[] {
  const { issues } = useTexts()
  const format = useFormat()
  const { values, set } = useFilters(['cause'])
  const nameOf = ({ name }: IssueCause) => name ?? issues.unknown
  return [
    {
      id: 'cause',
      title: issues.causeKinds[causeKind],
      cell: (cause) => (
        <Button
          variant={values.cause === cause.causeId ? 'light' : 'subtle'}
          size="compact-sm"
          aria-pressed={values.cause === cause.causeId}
          aria-label={issues.show(nameOf(cause))}
          classNames={{ label: classes.wrapped ?? '' }}
          h="auto"
          justify="flex-start"
          py={4}
          onClick={() => set({ cause: values.cause === cause.causeId ? '' : cause.causeId })}
        >
          {nameOf(cause)}
        </Button>
      ),
    },
    {
      id: 'count',
      title: issues.columns.count,
      width: 130,
      cell: ({ count }) => (
        <Text component="span" className={classes.count ?? ''}>
          {format.number(count)}
        </Text>
      ),
    },
    ...(hasPage(causeKind)
      ? [
          {
            id: 'helps',
            title: issues.helps,
            width: 180,
            cell: (cause: IssueCause) => <CauseLink cause={cause} kind={causeKind} />,
          },
        ]
      : []),
  ]
}

type LinkedKind = 'Package' | 'Patch' | 'Group'

const hasPage = (kind: IssuePageData['causeKind']): kind is LinkedKind => ['Package', 'Patch', 'Group'].includes(kind)

function CauseLink({ cause: { causeId }, kind }: { cause: IssueCause; kind: LinkedKind }) {
  const { issues } = useTexts()
  const links = {
    Package: { to: `/packages/${causeId}`, label: issues.openPackage },
    Patch: { to: `/patches/${causeId}`, label: issues.openPatch },
    Group: { to: `/groups/${causeId}`, label: issues.openGroup },
  }
  if (!isKnownCause(causeId)) return <>–</>
  const { to, label } = links[kind]
  return (
    <Anchor component={Link} to={to} size="sm">
      {label}
    </Anchor>
  )
}

import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { usePanels } from '../../../actions/use-panels.ts'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { OutcomeBar } from '../../../components/outcome-bar.tsx'
import { useHasRole } from '../../../shell/session-context.ts'
import { useFormat } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { AssignmentOfGroup, GroupPageData } from '../group-queries.ts'
import { outcomeParts } from '../group-results.ts'
import { RemoveAssignmentPanel } from '../panels/remove-assignment-panel.tsx'
import { ConvergenceCard } from './convergence-card.tsx'
import { OriginGroup } from './origin-group.tsx'
import { RowAction } from './row-action.tsx'

/** Everything that is effective for the group, with its origin and its results. */
export function AssignmentsTab({ page }: { page: GroupPageData }) {
  const { groups } = useTexts()
  const isOrdinary = page.kind === 'System' || page.kind === 'Ordinary'
  const hasOwn = page.assignments.some(({ isInherited }) => !isInherited)
  const mayRemove = useHasRole('group.write') && isOrdinary && hasOwn
  const { shown, open, onClose } = usePanels<'remove', AssignmentOfGroup>()
  const { columns } = groups
  const actions: Column<AssignmentOfGroup> = {
    id: 'actions',
    title: columns.actions,
    width: 110,
    cell: (assignment) =>
      !assignment.isInherited && (
        <RowAction
          removes
          text={groups.unassign}
          label={groups.unassignLabel(assignment.name)}
          onClick={() => open('remove', assignment)}
        />
      ),
  }
  return (
    <Stack gap="sm">
      <ConvergenceCard page={page} mayChange={useHasRole('activation.execute') && isOrdinary} />
      <DataTable
        caption={groups.tabs.assignments}
        columns={[...assignmentColumns(columns, groups.types, page), ...(mayRemove ? [actions] : [])]}
        rows={page.assignments}
        rowKey={({ type, objectId }) => `${type} ${objectId}`}
        error={undefined}
        onRetry={() => undefined}
        empty={{ title: groups.noAssignments, text: groups.noAssignmentsHint }}
      />
      {shown && (
        <RemoveAssignmentPanel
          key={shown.number}
          page={page}
          assignment={shown.target}
          isOpen={shown.isOpen}
          onClose={onClose}
        />
      )}
    </Stack>
  )
}

function assignmentColumns(
  columns: { name: string; type: string; origin: string; results: string },
  types: Record<AssignmentOfGroup['type'], string>,
  page: GroupPageData,
): Column<AssignmentOfGroup>[] {
  return [
    { id: 'name', title: columns.name, cell: (assignment) => <ObjectName assignment={assignment} /> },
    { id: 'type', title: columns.type, width: 130, cell: ({ type }) => types[type] },
    {
      id: 'origin',
      title: columns.origin,
      cell: ({ originGroupId, originGroupPath }) => (
        <OriginGroup page={page} id={originGroupId} path={originGroupPath} tab="assignments" />
      ),
    },
    { id: 'results', title: columns.results, width: 190, cell: (assignment) => <Results assignment={assignment} /> },
  ]
}

function ObjectName({ assignment: { type, objectId, name, version } }: { assignment: AssignmentOfGroup }) {
  const label = [name, version].filter(Boolean).join(' ')
  const mayOpen = useHasRole('package.read') && type === 'Package'
  if (!mayOpen) return <>{label}</>
  return (
    <Anchor component={Link} to={`/packages/${objectId}`} size="sm">
      {label}
    </Anchor>
  )
}

function Results({ assignment: { name, status } }: { assignment: AssignmentOfGroup }) {
  const { groups } = useTexts()
  const format = useFormat()
  if (!status) return <>–</>
  return (
    <Stack gap={2}>
      <OutcomeBar isCompact label={groups.resultsOf(name)} parts={outcomeParts(status, groups)} />
      <Text size="xs" c="dimmed">
        {groups.resultLine(format.number(status.success), format.number(status.failed), format.number(status.pending))}
      </Text>
    </Stack>
  )
}

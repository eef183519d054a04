import { Badge, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { usePanels } from '../../../actions/use-panels.ts'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { SearchField } from '../../../components/search-field.tsx'
import { requireAllowed } from '../../../components/unknown-filter.ts'
import { useHasRole } from '../../../shell/session-context.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { Collections } from '../../variables/collections.tsx'
import { type GroupPageData, type GroupVariable, variablesQuery } from '../group-queries.ts'
import { UnsetVariablePanel } from '../panels/unset-variable-panel.tsx'
import { VariablePanel } from '../panels/variable-panel.tsx'
import { pathOf } from '../tree/forest.ts'
import { useForest } from '../tree/forest-context.ts'
import { OriginGroup } from './origin-group.tsx'
import { RowAction } from './row-action.tsx'

const scopes = ['set', 'own', 'all'] as const
type Scope = (typeof scopes)[number]

const panels = { set: VariablePanel, unset: UnsetVariablePanel }

/** The variables of the group: its own values and those that it inherits, each with its origin. */
export function VariablesTab({ page }: { page: GroupPageData }) {
  const { groups, common } = useTexts()
  const { data, error, refetch } = useQuery(variablesQuery(page.id))
  const [params, setParams] = useSearchParams()
  const { shown, open, onClose } = usePanels<'set' | 'unset', GroupVariable>()
  requireAllowed({ scope: params.get('scope') ?? '' }, { scope: scopes })
  const scope = scopes.find((name) => name === params.get('scope')) ?? 'set'
  const text = params.get('variable') ?? ''
  const change = (name: string, value: string) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (value) after.set(name, value)
        else after.delete(name)
        return after
      },
      { replace: true, preventScrollReset: true },
    )
  const isShown = (variable: GroupVariable) =>
    isInScope(variable, scope, page.id) && variable.dottedName.toLowerCase().includes(text.toLowerCase())
  const Panel = shown && panels[shown.name]
  const mayWrite = useHasRole('group.write')
  const isOrdinary = page.kind === 'System' || page.kind === 'Ordinary'
  return (
    <Stack gap="sm">
      <Group align="flex-end" justify="space-between">
        <SearchField
          label={groups.searchVariables}
          placeholder={groups.variableHint}
          value={text}
          onSearch={(typed) => change('variable', typed)}
        />
        <SegmentedControl
          aria-label={groups.scope}
          data={scopes.map((name) => ({ value: name, label: groups.scopes[name] }))}
          value={scope}
          onChange={(name) => change('scope', name === 'set' ? '' : name)}
        />
      </Group>
      <DataTable
        caption={groups.tabs.variables}
        columns={useColumns(page, open)}
        rows={data?.items.filter(isShown)}
        rowKey={({ varId }) => varId}
        error={error}
        onRetry={refetch}
        empty={
          text || scope !== 'set'
            ? { title: common.nothingFound, text: common.nothingFoundHint }
            : { title: groups.noVariables, text: groups.noVariablesHint }
        }
      />
      <Collections place={{ groupId: page.id }} mayWrite={mayWrite && isOrdinary} />
      {Panel && (
        <Panel key={shown.number} page={page} variable={shown.target} isOpen={shown.isOpen} onClose={onClose} />
      )}
    </Stack>
  )
}

const isOwn = ({ source, sourceGroupId }: GroupVariable, groupId: string) =>
  sourceGroupId === groupId && (source === 'group' || source === 'forced')

function isInScope(variable: GroupVariable, scope: Scope, groupId: string): boolean {
  if (scope === 'all') return true
  return scope === 'own' ? isOwn(variable, groupId) : variable.source !== null
}

function useColumns(
  page: GroupPageData,
  open: (name: 'set' | 'unset', variable: GroupVariable) => void,
): Column<GroupVariable>[] {
  const { groups } = useTexts()
  const mayWrite = useHasRole('group.write')
  const { columns } = groups
  const actions: Column<GroupVariable> = {
    id: 'actions',
    title: columns.actions,
    width: 150,
    cell: (variable) => (
      <Group gap={4} wrap="nowrap">
        <RowAction
          text={groups.set}
          label={groups.setLabel(variable.dottedName)}
          onClick={() => open('set', variable)}
        />
        {isOwn(variable, page.id) && (
          <RowAction
            removes
            text={groups.unset}
            label={groups.unsetLabel(variable.dottedName)}
            onClick={() => open('unset', variable)}
          />
        )}
      </Group>
    ),
  }
  return [
    { id: 'name', title: columns.name, cell: ({ dottedName }) => dottedName },
    { id: 'value', title: columns.value, cell: (variable) => <Value variable={variable} /> },
    { id: 'origin', title: columns.origin, cell: (variable) => <Origin variable={variable} page={page} /> },
    ...(mayWrite ? [actions] : []),
  ]
}

function Value({ variable: { isSecret, value, source, schedule } }: { variable: GroupVariable }) {
  const { groups } = useTexts()
  if (source === null) return <>–</>
  if (isSecret) return <Badge color="gray">{groups.secret}</Badge>
  return (
    <>
      <Code className="breakable">{value}</Code>
      {schedule && (
        <Text size="xs" c="dimmed">
          {schedule}
        </Text>
      )}
    </>
  )
}

function Origin({ variable, page }: { variable: GroupVariable; page: GroupPageData }) {
  const { groups } = useTexts()
  const forest = useForest()
  const { source, sourceGroupId } = variable
  if (source === null) return <>–</>
  const kind = source === 'computer' ? groups.sources.group : groups.sources[source]
  if (sourceGroupId === null) return <>{kind}</>
  return (
    <>
      <OriginGroup page={page} id={sourceGroupId} path={forest && pathOf(forest, sourceGroupId)} tab="variables" />
      {source !== 'group' && (
        <Text size="xs" c="dimmed">
          {kind}
        </Text>
      )}
    </>
  )
}

import { Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { NamedField } from '../../components/named-field.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useTagTexts } from '../../texts/tag-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { RowAction } from '../groups/tabs/row-action.tsx'
import { TableSection } from './table-section.tsx'

type Slot = Schemas['CustomFieldSlot']

const fieldsKey = ['custom-fields'] as const

/** Which custom fields computers have, and what they are called. */
export function FieldsTab() {
  const { fields } = useTagTexts()
  const mayWrite = useHasRole('computer.write')
  const { shown, open, onClose } = usePanels<'edit', Slot>()
  const list = useQuery({
    queryKey: fieldsKey,
    queryFn: () => answerOf(api.GET('/api/custom-field-configuration')),
  })
  return (
    <TableSection title={fields.tab}>
      <Text size="sm" c="dimmed">
        {fields.hint}
      </Text>
      <DataTable
        caption={fields.tab}
        columns={useColumns(mayWrite, (slot) => open('edit', slot))}
        rows={list.data}
        rowKey={({ slot }) => slot}
        error={list.error}
        onRetry={list.refetch}
        empty={{ title: fields.emptyTitle, text: fields.emptyText }}
      />
      {shown && <EditPanel key={shown.number} slot={shown.target} isOpen={shown.isOpen} onClose={onClose} />}
    </TableSection>
  )
}

function useColumns(mayWrite: boolean, onEdit: (slot: Slot) => void): Column<Slot>[] {
  const { fields, edit, editLabel } = useTagTexts()
  const { columns } = fields
  const actions: Column<Slot> = {
    id: 'actions',
    title: columns.actions,
    width: 120,
    cell: (slot) => <RowAction text={edit} label={editLabel(slot.designation)} onClick={() => onEdit(slot)} />,
  }
  return [
    { id: 'slot', title: columns.slot, width: 140, cell: ({ slot }) => slot },
    { id: 'name', title: columns.name, cell: ({ designation }) => designation },
    {
      id: 'state',
      title: columns.state,
      width: 160,
      cell: ({ isActive }) => (
        <StatusBadge kind={isActive ? 'good' : 'neutral'}>{isActive ? fields.active : fields.inactive}</StatusBadge>
      ),
    },
    ...(mayWrite ? [actions] : []),
  ]
}

function EditPanel({ slot: { slot, designation, isActive }, ...panel }: PanelProps & { slot: Slot }) {
  const { fields } = useTagTexts()
  const { common } = useTexts()
  const [typed, setTyped] = useState({ designation, isActive })
  const [settled] = useDebouncedValue(typed, 250)
  const body = {
    ...(typed.designation !== designation && { designation: typed.designation }),
    ...(typed.isActive !== isActive && { isActive: typed.isActive }),
  }
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: fields.title(slot),
        label: common.save,
        requestKey: settled,
        isComplete: Object.keys(body).length > 0 && typed.designation.trim() !== '' && settled === typed,
        form: (
          <Stack gap="sm">
            <NamedField name="designation">
              <TextInput
                data-autofocus
                required
                label={fields.columns.name}
                autoComplete="off"
                value={typed.designation}
                onChange={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, designation: value }))}
              />
            </NamedField>
            <Checkbox
              label={fields.isActive}
              description={fields.isActiveHint}
              checked={typed.isActive}
              onChange={({ currentTarget: { checked } }) => setTyped((before) => ({ ...before, isActive: checked }))}
            />
          </Stack>
        ),
        send: ({ uncounted: query }) =>
          api.PATCH('/api/custom-field-configuration/{slot}', {
            params: { path: { slot }, query },
            body,
          }),
        describe: ({ answer }) =>
          answer.isActive ? fields.changes(answer.designation) : fields.hides(answer.designation),
        done: () => ({ text: common.saved }),
        refreshes: [fieldsKey, ['computers'], ['computer']],
      }}
    />
  )
}

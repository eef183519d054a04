import { Alert, Button, Group, Modal, Radio, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { ProblemAlert } from '../../components/problem-view.tsx'
import { useTexts } from '../../texts/texts.tsx'

/** A field of the form, and how its value is displayed. */
export type ShownField<Values> = { name: keyof Values & string; label: string; show: (values: Values) => string }

type ConflictProps<Values> = {
  version: string
  fields: readonly ShownField<Values>[]
  base: Values
  mine: Values
  theirs: Values
  /** Other changes besides the fields. */
  note: string | undefined
  saving: { error: unknown; isSaving: boolean }
  onKeep: (values: Values) => void
  onDiscard: () => void
}

/** Shows both versions and lets the person choose field by field. */
export function ConflictDialog<Values extends object>({ conflict, onClose }: ConflictDialogProps<Values>) {
  const { problems, common } = useTexts()
  return (
    <Modal
      opened={conflict !== undefined}
      onClose={onClose}
      title={problems.changedTitle}
      size="xl"
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {conflict && <Choices key={conflict.version} {...conflict} />}
    </Modal>
  )
}

type ConflictDialogProps<Values> = { conflict: ConflictProps<Values> | undefined; onClose: () => void }

type Side = 'mine' | 'theirs'

function Choices<Values extends object>(props: ConflictProps<Values>) {
  const { fields, base, mine, theirs, note, saving, onKeep, onDiscard } = props
  const { problems } = useTexts()
  const different = fields.filter(({ show }) => show(mine) !== show(theirs))
  // If only one of the two changed a field, that change wins by default.
  const [sides, setSides] = useState(() =>
    Object.fromEntries(
      different.map(({ name, show }): [string, Side] => [name, show(mine) === show(base) ? 'theirs' : 'mine']),
    ),
  )
  const keep = () => {
    const chosen = different.map(({ name }) => [name, (sides[name] === 'theirs' ? theirs : mine)[name]])
    onKeep({ ...mine, ...Object.fromEntries(chosen) })
  }
  return (
    <Stack>
      <Text size="sm">{problems.changedHint}</Text>
      {note && <Alert>{note}</Alert>}
      {different.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{problems.field}</Table.Th>
              <Table.Th>{problems.mine}</Table.Th>
              <Table.Th>{problems.theirs}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {different.map(({ name, label, show }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{label}</Table.Th>
                {(['mine', 'theirs'] as const).map((side) => (
                  <Table.Td key={side} className="breakable">
                    <Radio
                      name={name}
                      checked={sides[name] === side}
                      onChange={() => setSides((before) => ({ ...before, [name]: side }))}
                      label={show({ mine, theirs }[side]) || '–'}
                      aria-label={`${label}, ${problems[side]}: ${show({ mine, theirs }[side])}`}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <ProblemAlert error={saving.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDiscard}>
          {problems.takeTheirs}
        </Button>
        <Button onClick={keep} loading={saving.isSaving}>
          {problems.keepChosen}
        </Button>
      </Group>
    </Stack>
  )
}

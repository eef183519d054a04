import { Alert, Button, Group, Radio, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemAlert } from '../../components/problem-view.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { outcomeOf, resolve, type ShownField, type Versions } from './merge.ts'

type ConflictProps<Values> = Versions<Values> & {
  version: string
  fields: readonly ShownField<Values>[]
  /** Other changes besides the fields. */
  note: string | undefined
  saving: { error: unknown; isSaving: boolean }
  onKeep: (values: Values) => void
  onDiscard: () => void
}

/** Shows both versions and their merge. Where both have changed the same field, the person chooses. */
export function ConflictDialog<Values extends object>({ conflict, onClose }: ConflictDialogProps<Values>) {
  const { problems } = useTexts()
  return (
    <Dialog isOpen={conflict !== undefined} onClose={onClose} title={problems.changedTitle} size="xl">
      {conflict && <Choices key={conflict.version} {...conflict} />}
    </Dialog>
  )
}

type ConflictDialogProps<Values> = { conflict: ConflictProps<Values> | undefined; onClose: () => void }

type Side = 'mine' | 'theirs'

function Choices<Values extends object>(props: ConflictProps<Values>) {
  const { fields, mine, theirs, note, saving, onKeep, onDiscard } = props
  const { problems } = useTexts()
  const [chosen, setChosen] = useState<Partial<Record<string, Side>>>({})
  const different = fields.filter(({ show }) => show(mine) !== show(theirs))
  const results = different.map((field) => resolve(field, props, chosen[field.name]))
  return (
    <Stack>
      <Text size="sm">{problems.changedHint}</Text>
      {note && <Alert>{note}</Alert>}
      {different.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              {[problems.field, problems.mine, problems.theirs, problems.result].map((title) => (
                <Table.Th key={title}>{title}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {different.map((field, at) => (
              <FieldRow
                key={field.name}
                field={field}
                versions={props}
                result={results[at]}
                chosen={chosen[field.name]}
                onChoose={(side) => setChosen((before) => ({ ...before, [field.name]: side }))}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <ProblemAlert error={saving.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDiscard}>
          {problems.takeTheirs}
        </Button>
        <Button
          onClick={() => onKeep(Object.assign({}, mine, ...results))}
          loading={saving.isSaving}
          disabled={results.includes(undefined)}
        >
          {problems.keepChosen}
        </Button>
      </Group>
    </Stack>
  )
}

type FieldRowProps<Values> = {
  field: ShownField<Values>
  versions: Versions<Values>
  result: Partial<Values> | undefined
  chosen: Side | undefined
  onChoose: (side: Side) => void
}

function FieldRow<Values extends object>({ field, versions, result, chosen, onChoose }: FieldRowProps<Values>) {
  const { problems } = useTexts()
  const { name, label, show } = field
  const isChoice = outcomeOf(field, versions) === 'choice'
  return (
    <Table.Tr>
      <Table.Th scope="row">{label}</Table.Th>
      {(['mine', 'theirs'] as const).map((side) => {
        const text = show(versions[side])
        return (
          <Table.Td key={side} className="breakable">
            {isChoice ? (
              <Radio
                name={name}
                checked={chosen === side}
                onChange={() => onChoose(side)}
                label={text || '–'}
                aria-label={`${label}, ${problems[side]}: ${text}`}
              />
            ) : (
              text || '–'
            )}
          </Table.Td>
        )
      })}
      <Table.Td className="breakable" fw={600}>
        {result ? show({ ...versions.mine, ...result }) || '–' : problems.chooseOne}
      </Table.Td>
    </Table.Tr>
  )
}

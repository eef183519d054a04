import { Checkbox, Stack, Table } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'

export type Difference = { label: string; before: string; now: string }

type DifferencesProps = { differences: readonly Difference[]; isSeen: boolean; onSeen: (isSeen: boolean) => void }

/** What someone else has changed. The person confirms having seen it before an action continues. */
export function Differences({ differences, isSeen, onSeen }: DifferencesProps) {
  const { problems } = useTexts()
  return (
    <Stack>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {[problems.field, problems.before, problems.now].map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map(({ label, before, now }) => (
            <Table.Tr key={label}>
              <Table.Th scope="row">{label}</Table.Th>
              <Table.Td className="breakable">{before || '–'}</Table.Td>
              <Table.Td className="breakable">{now || '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Checkbox label={problems.seen} checked={isSeen} onChange={(event) => onSeen(event.currentTarget.checked)} />
    </Stack>
  )
}

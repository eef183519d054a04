import { Stack, Text } from '@mantine/core'
import type { Approval } from '../../api/blast-radius.ts'
import { useTexts } from '../../texts/texts.tsx'

type Named = { name: string; currentName: string | null }

/** A name at the time of the request, with the present one if it differs. */
function NameThenAndNow({ name, currentName }: Named) {
  const { approvals } = useTexts()
  if (currentName === name) return name
  return (
    <>
      {name}{' '}
      <Text span size="xs" c="dimmed">
        ({currentName === null ? approvals.nowDeleted : approvals.nowNamed(currentName)})
      </Text>
    </>
  )
}

/** The groups, the computer and the packages that the request is about. */
export function SubjectNames({ subjects }: Pick<Approval, 'subjects'>) {
  const { approvals } = useTexts()
  return subjects.map(({ kind, id, name, currentName }) => (
    <Text key={id} size="sm" className="breakable">
      <Text span size="xs" c="dimmed">
        {approvals.subjects[kind]}:{' '}
      </Text>
      <NameThenAndNow name={name} currentName={currentName} />
    </Text>
  ))
}

type ComputerNamesProps = Pick<Approval, 'firstComputers' | 'computerCount'> & { limit?: number }

/** The first of the affected computers, and how many more there are. */
export function ComputerNames({ firstComputers, computerCount, limit = firstComputers.length }: ComputerNamesProps) {
  const { approvals } = useTexts()
  const shown = firstComputers.slice(0, limit)
  const others = computerCount - shown.length
  return (
    <Stack gap={2} className="breakable">
      {shown.map(({ computerId, name, currentName }) => (
        <Text key={computerId} size="sm">
          <NameThenAndNow name={name} currentName={currentName} />
        </Text>
      ))}
      {others > 0 && shown.length > 0 && (
        <Text size="sm" c="dimmed">
          {approvals.others(others)}
        </Text>
      )}
    </Stack>
  )
}

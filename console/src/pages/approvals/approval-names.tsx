import { Stack, Text } from '@mantine/core'
import { Fragment } from 'react'
import type { Approval } from '../../api/blast-radius.ts'
import { useTexts } from '../../texts/texts.tsx'

type Named = { name: string; currentName: string | null }

/** A name at the time of the request, with the present one if it differs. */
export function NameThenAndNow({ name, currentName }: Named) {
  const { approvals } = useTexts()
  if (currentName === name) return <>{name}</>
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

type AffectedComputers = Pick<Approval, 'firstComputers' | 'computerCount'>

const namesInList = 3

/** A few of the affected computers below each other, and how many more there are. */
export function ComputerList({ firstComputers, computerCount }: AffectedComputers) {
  const { approvals } = useTexts()
  const shown = firstComputers.slice(0, namesInList)
  const others = computerCount - shown.length
  return (
    <Stack gap={0} className="breakable">
      {shown.map(({ computerId, ...names }) => (
        <Text key={computerId} size="xs">
          <NameThenAndNow {...names} />
        </Text>
      ))}
      {others > 0 && shown.length > 0 && (
        <Text size="xs" c="dimmed">
          {approvals.others(others)}
        </Text>
      )}
    </Stack>
  )
}

/** The first of the affected computers in a sentence, and how many more there are. */
export function ComputerSentence({ firstComputers, computerCount }: AffectedComputers) {
  const { approvals } = useTexts()
  const others = computerCount - firstComputers.length
  return (
    <>
      {firstComputers.map(({ computerId, ...names }, index) => (
        <Fragment key={computerId}>
          {index > 0 && ', '}
          <NameThenAndNow {...names} />
        </Fragment>
      ))}
      {others > 0 && ` ${approvals.others(others)}`}
    </>
  )
}

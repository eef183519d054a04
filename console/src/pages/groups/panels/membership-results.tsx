import { Alert, List } from '@mantine/core'
import { textFor, useTexts } from '../../../texts/texts.tsx'
import type { PickedComputer } from './computer-picker.tsx'

type MembershipResultsProps = {
  results: readonly { clientId: number; success: boolean; status: string }[]
  names: readonly PickedComputer[]
}

/** The computers that cannot become members, each with the reason. */
export function MembershipResults({ results, names }: MembershipResultsProps) {
  const { groups } = useTexts()
  const refused = results.filter(({ success }) => !success)
  if (refused.length === 0) return null
  const nameOf = (clientId: number) => names.find(({ id }) => id === clientId)?.hostname ?? String(clientId)
  return (
    <Alert color="orange" title={groups.notAdded}>
      <List size="sm">
        {refused.map(({ clientId, status }) => (
          <List.Item key={clientId}>
            {nameOf(clientId)}: {textFor(groups.refusals, status) ?? status}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

import { Badge, Group } from '@mantine/core'
import type { PrincipalState } from '../api/principal-list.ts'
import { useTexts } from '../texts/texts.tsx'

const colours: Record<PrincipalState, string> = { active: 'green', revoked: 'red', expired: 'orange' }

export function PrincipalBadges({ state, isProtected }: { state: PrincipalState; isProtected: boolean }) {
  const { principals } = useTexts()
  return (
    <Group gap={4}>
      <Badge color={colours[state]}>{principals.states[state]}</Badge>
      {isProtected && <Badge color="blue">{principals.protected}</Badge>}
    </Group>
  )
}

import { Badge, Group } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import type { PrincipalState } from './principal-rows.ts'

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

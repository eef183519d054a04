import { Alert, Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useSession } from '../shell/session-context.ts'
import { useTexts } from '../texts/texts.tsx'

/** In place of what the person has no role for. */
export function MissingRole({ needed }: { needed: string }) {
  const { problems } = useTexts()
  const { principal } = useSession()
  const path = `/principals/${principal.kind === 'local' ? 'local' : 'provider'}/${principal.id}`
  return (
    <Alert color="blue" title={problems.missingRole(needed)} maw={640}>
      {problems.missingRoleHint}{' '}
      <Anchor component={Link} size="sm" to={path}>
        {problems.toMyPrincipal}
      </Anchor>
    </Alert>
  )
}

import { Alert, Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { principalPath } from '../api/principal-list.ts'
import { useSession } from '../shell/session-context.ts'
import { useTexts } from '../texts/texts.tsx'

/** In place of what the person has no role for. */
export function MissingRole({ needed }: { needed: string }) {
  const { problems } = useTexts()
  const { principal } = useSession()
  return (
    <Alert color="blue" title={problems.missingRole(needed)} maw={640}>
      {problems.missingRoleHint}{' '}
      <Anchor component={Link} size="sm" to={principalPath(principal)}>
        {problems.toMyPrincipal}
      </Anchor>
    </Alert>
  )
}

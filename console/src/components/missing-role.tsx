import { Alert, Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { principalPath } from '../api/principal-list.ts'
import { useSession } from '../shell/session-context.ts'
import { useTexts } from '../texts/texts.tsx'

/** Shown instead of content that requires a role the person does not have. */
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

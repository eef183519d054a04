import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { principalPath, usePrincipals } from '../api/principal-list.ts'
import { useHasRole, useSession } from '../shell/session-context.ts'

/** A principal by its name. Only administrators may read the names of others; without it, the id is shown. */
export function PrincipalName({ id }: { id: number }) {
  const { principal } = useSession()
  const isOther = id !== principal.id
  const { rows } = usePrincipals({ enabled: useHasRole('admin.manage') && isOther })
  if (!isOther) return <>{principal.displayName}</>
  const found = rows?.find((row) => row.id === id)
  if (!found) return <>{id}</>
  return (
    <Anchor component={Link} to={principalPath(found)} fz="inherit">
      {found.name ?? found.identifier}
    </Anchor>
  )
}

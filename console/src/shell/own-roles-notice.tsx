import { Alert, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import { useTexts } from '../texts/texts.tsx'
import { useSession } from './session-context.ts'

const GrantRoles = lazy(async () => ({ default: (await import('./grant-roles.tsx')).GrantRoles }))

/** The first administrator may only manage principals, and would see an empty console. It may grant itself the rest. */
export function OwnRolesNotice() {
  const { ownRoles } = useTexts().signIn
  const { principal } = useSession()
  const { pathname } = useLocation()
  const [isOpen, panel] = useDisclosure()
  if (pathname !== '/' || principal.roles.join() !== 'admin.manage') return null
  return (
    <Alert mb="md" title={ownRoles.title}>
      <Text size="sm" mb="xs">
        {ownRoles.text}
      </Text>
      <Button size="xs" onClick={panel.open}>
        {ownRoles.review}
      </Button>
      <Suspense>{isOpen && <GrantRoles onClose={panel.close} />}</Suspense>
    </Alert>
  )
}

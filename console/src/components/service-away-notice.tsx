import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { readinessQuery } from '../api/readiness.ts'
import { useTexts } from '../texts/texts.tsx'
import { IconAlertTriangle } from './icons.ts'

/** In a panel, which covers the notice above the page: a person should know before they save. */
export function ServiceAwayNotice() {
  const { health } = useTexts()
  const { isError } = useQuery(readinessQuery)
  const { online: isOnline } = useNetwork()
  if (isOnline && !isError) return null
  return (
    <Alert
      mb="md"
      role="alert"
      color={isOnline ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      title={isOnline ? health.unreachable : health.offline}
    >
      {health.inputStays}
    </Alert>
  )
}

import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { readinessQuery } from '../api/readiness.ts'
import { HealthFindings } from '../components/health-findings.tsx'
import { IconAlertTriangle } from '../components/icons.ts'
import { useTexts } from '../texts/texts.tsx'

/** Above the pages while the service does not work as it should. Screen readers announce it without interrupting. */
export function HealthBanner() {
  const { health } = useTexts()
  const { data, isError } = useQuery(readinessQuery)
  const { pathname } = useLocation()
  const { online: isOnline } = useNetwork()
  const icon = <IconAlertTriangle aria-hidden />
  if (!isOnline)
    return (
      <div role="status">
        <Alert mb="md" color="yellow" icon={icon} title={health.offline} />
      </div>
    )
  // This page shows the same in its own place.
  if (pathname === '/admin/about') return null
  return (
    <div role="status">
      {isError && <Alert mb="md" color="red" icon={icon} title={health.unreachable} />}
      {!isError && data && data.status !== 'ready' && (
        <Alert
          mb="md"
          color={data.status === 'degraded' ? 'yellow' : 'red'}
          icon={icon}
          title={data.status === 'degraded' ? health.degraded : health.unavailable}
        >
          <HealthFindings readiness={data} />
        </Alert>
      )}
    </div>
  )
}

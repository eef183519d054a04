import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { freezeKey, freezeQuery } from '../api/blast-radius.ts'
import { IconSnowflake } from '../components/icons.ts'
import { useFormat } from '../texts/format.ts'
import { useTexts } from '../texts/texts.tsx'

const page = '/admin/safety'

/** Above the pages while no new work is handed out. */
export function FreezeBanner() {
  const { safety } = useTexts()
  const format = useFormat()
  const { pathname } = useLocation()
  const queryClient = useQueryClient()
  const { data } = useQuery(freezeQuery)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when another page opens
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: freezeKey })
  }, [pathname, queryClient])
  return (
    <div role="status">
      {data?.frozen && (
        <Alert mb="md" color="blue" icon={<IconSnowflake aria-hidden />} title={safety.frozenTitle}>
          <Text size="sm" className="breakable">
            {data.reason}
          </Text>
          <Text size="sm">{safety.frozenBy(data.frozenBy ?? '', format.dateTime(data.frozenAtUtc ?? ''))}</Text>
          {pathname !== page && (
            <Anchor component={Link} to={page} size="sm">
              {safety.toPage}
            </Anchor>
          )}
        </Alert>
      )}
    </div>
  )
}

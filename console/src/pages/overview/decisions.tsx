import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { decisionsQuery } from '../../api/decisions.ts'
import { IconCircleCheck } from '../../components/icons.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './overview.module.css'
import { countMilliseconds } from './use-overview.ts'

const DecisionList = lazy(async () => ({ default: (await import('./decision-list.tsx')).DecisionList }))

/** What waits for a person comes before all figures. */
export function Decisions() {
  const { decisions: texts } = useTexts()
  // Not everything that can wait has an event: agents in quarantine, depots that are away.
  const { data } = useQuery({ ...decisionsQuery, refetchInterval: countMilliseconds })
  if (!data) return <Skeleton height={72} />
  if (data.length > 0)
    return (
      <Suspense fallback={<Skeleton height={72} />}>
        <DecisionList decisions={data} />
      </Suspense>
    )
  return (
    <div className={classes.noDecisions}>
      <IconCircleCheck size={18} aria-hidden />
      <Text size="sm">{texts.none}</Text>
    </div>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import classes from './timeline.module.css'
import type { TimelineQuery } from './timeline-states.ts'

/** How many tasks of single computers a part of the timeline has. */
export function useSingleTasks(query: TimelineQuery, isEnabled: boolean): number {
  const counted = { ...query, singleComputers: true, top: 1 }
  const { data } = useQuery({
    queryKey: ['tasks', 'timeline', 'singles', counted],
    queryFn: () => answerOf(api.GET('/api/fleet/timeline', { params: { query: counted } })),
    enabled: isEnabled,
  })
  return isEnabled ? (data?.totalCount ?? 0) : 0
}

type SingleTasksProps = { count: number; onShow: (() => void) | undefined }

/** One entry for the tasks of single computers: when the service patches the fleet, nobody reads them one by one. */
export function SingleTasks({ count, onShow }: SingleTasksProps) {
  const { singles } = useRolloutTexts()
  return (
    <Group justify="space-between" className={classes.singles ?? ''}>
      <Text size="sm">{singles.count(count)}</Text>
      <Button size="compact-sm" variant="default" onClick={onShow}>
        {singles.show}
      </Button>
    </Group>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './timeline.module.css'
import type { TimelineQuery } from './timeline-section.tsx'

type SingleTasksProps = { query: TimelineQuery; onShow: () => void }

/** How many tasks of single computers there are: when the service patches the fleet, far more than anybody reads one by one. */
export function SingleTasks({ query, onShow }: SingleTasksProps) {
  const { singles } = useTexts().rollouts
  const counted = { ...query, singleComputers: true, top: 1 }
  const { data } = useQuery({
    queryKey: ['tasks', 'timeline', 'singles', counted],
    queryFn: () => answerOf(api.GET('/api/fleet/timeline', { params: { query: counted } })),
  })
  if (!data || data.totalCount === 0) return null
  return (
    <Group justify="space-between" className={classes.singles ?? ''}>
      <Text size="sm">{singles.count(data.totalCount)}</Text>
      <Button size="compact-sm" variant="default" onClick={onShow}>
        {singles.show}
      </Button>
    </Group>
  )
}

import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Section } from '../../../../components/section.tsx'
import { StatusBadge } from '../../../../components/status-badge.tsx'
import { useComputerHistoryTexts } from '../../../../texts/computer-history-texts.ts'
import { useTexts } from '../../../../texts/texts.tsx'
import { Age } from '../../age.tsx'
import type { ComputerPageData } from '../../computer-data.ts'
import { taskKinds } from '../../states.ts'
import classes from './summary.module.css'

const maxShown = 5

export function LatestTasks({ page }: { page: ComputerPageData }) {
  const { summary } = useTexts().computer
  const history = useComputerHistoryTexts()
  return (
    <Section title={summary.tasks}>
      {page.latestTasks.length === 0 ? (
        <Text c="dimmed" size="sm">
          {summary.noTasks}
        </Text>
      ) : (
        <ul className={classes.list}>
          {page.latestTasks
            .slice(0, maxShown)
            .map(({ trackingId, type, status, packageName, groupPath, createdAtUtc }) => (
              <li key={trackingId} className={classes.line}>
                <div>
                  <Anchor component={Link} to={`/tasks/${trackingId}`} size="sm">
                    {[history.taskTypes[type], packageName].filter(Boolean).join(': ')}
                  </Anchor>
                  {groupPath && (
                    <Text size="xs" c="dimmed" className="breakable">
                      {groupPath}
                    </Text>
                  )}
                </div>
                <Text size="xs" c="dimmed" component="div">
                  <StatusBadge kind={taskKinds[status]}>{history.taskStates[status]}</StatusBadge>{' '}
                  <Age atUtc={createdAtUtc} />
                </Text>
              </li>
            ))}
        </ul>
      )}
    </Section>
  )
}

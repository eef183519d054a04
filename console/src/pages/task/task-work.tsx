import { Anchor, Group, Select, Text } from '@mantine/core'
import { Link } from 'react-router'
import { api, type Schemas } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Moment } from '../../components/moment.tsx'
import { NextContact } from '../../components/next-contact.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import { useFilters } from '../../components/use-filters.ts'
import { type RolloutTexts, useRolloutTexts } from '../../texts/rollout-texts.ts'
import { FailureFilter } from '../rollout/failure-filter.tsx'
import { useFailureFilter } from '../rollout/use-failure-filter.ts'

type Action = Schemas['TaskAction']

const kinds: Record<Action['state'], StatusKind> = {
  Due: 'neutral',
  Leased: 'running',
  Success: 'good',
  Failed: 'bad',
  Cancelled: 'warning',
}
const states = Object.keys(kinds) as Action['state'][]

/** The work items of the task; their state is in the address. */
export function TaskWork({ task: { trackingId } }: { task: Schemas['TaskDetails'] }) {
  const rollouts = useRolloutTexts()
  const filters = useFilters(['state'], { state: states })
  const state = states.find((name) => name === filters.values.state)
  const failure = useFailureFilter()
  const query = {
    ...(state && { state }),
    ...(failure.exitCode !== null && { exitCode: failure.exitCode }),
    ...(failure.cause && { cause: failure.cause }),
  }
  const pages = useListPages({
    queryKey: ['task', trackingId, 'work', query],
    async load(page) {
      const { data, response } = await api.GET('/api/tasks/{trackingId}', {
        params: { path: { trackingId }, query: { top: 50, ...query, ...page } },
      })
      return { response, ...(data && { data: data.actions }) }
    },
  })
  return (
    <Section
      id="work"
      title={rollouts.task.workItems}
      actions={
        pages.total !== undefined && <Text size="sm">{rollouts.ofTotal(pages.rows?.length ?? 0, pages.total)}</Text>
      }
    >
      <Group mb="sm" align="flex-end">
        <Select
          label={rollouts.computers.state}
          placeholder={rollouts.computers.allStates}
          clearable
          data={states.map((value) => ({ value, label: rollouts.task.workStates[value] }))}
          value={state ?? null}
          onChange={(value) => filters.set({ state: value ?? '' })}
        />
        <FailureFilter {...failure} />
      </Group>
      <DataTable
        caption={rollouts.task.workItems}
        columns={columnsOf(rollouts)}
        rows={pages.rows}
        rowKey={({ workId }) => workId}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: rollouts.task.emptyTitle, text: rollouts.task.emptyText }}
        footer={<LoadMore query={pages} />}
      />
    </Section>
  )
}

function columnsOf({ computers: texts, task }: RolloutTexts): Column<Action>[] {
  return [
    {
      id: 'hostname',
      title: texts.hostname,
      cell: ({ clientId, hostname }) => (
        <Anchor component={Link} to={`/computers/${clientId}`} size="sm">
          {hostname}
        </Anchor>
      ),
    },
    {
      id: 'package',
      title: texts.package,
      cell: ({ packageId, packageName }) =>
        packageId && (
          <Anchor component={Link} to={`/packages/${packageId}`} size="sm">
            {packageName}
          </Anchor>
        ),
    },
    {
      id: 'state',
      title: texts.state,
      cell: ({ state, attempt, nextContactUtc, connectedNow }) => (
        <>
          <StatusBadge kind={kinds[state]}>{task.workStates[state]}</StatusBadge>
          {attempt > 1 && (
            <Text size="xs" c="dimmed">
              {task.attempts(attempt)}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            <NextContact atUtc={nextContactUtc} isConnected={connectedNow} />
          </Text>
        </>
      ),
      width: 210,
    },
    {
      id: 'finished',
      title: texts.finished,
      cell: ({ closedAtUtc }) => closedAtUtc && <Moment at={closedAtUtc} />,
      width: 170,
    },
    {
      id: 'error',
      title: texts.error,
      cell: ({ errorText }) => (
        <Text size="sm" lineClamp={3} className="breakable">
          {errorText}
        </Text>
      ),
    },
  ]
}

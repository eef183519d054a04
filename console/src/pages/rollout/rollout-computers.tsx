import { Anchor, Group, Select, Text } from '@mantine/core'
import { readableCause, visibleLine } from '@muster/text'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import type { components } from '../../api/types.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Moment } from '../../components/moment.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import { useFilters } from '../../components/use-filters.ts'
import { type RolloutTexts, useRolloutTexts } from '../../texts/rollout-texts.ts'
import type { Rollout } from './describe.ts'
import { FailureFilter } from './failure-filter.tsx'
import { useFailureFilter } from './use-failure-filter.ts'

type RolloutComputer = components['schemas']['RolloutComputer']
type State = RolloutComputer['state']

const kinds: Record<State, StatusKind> = {
  Waiting: 'neutral',
  RetryRequested: 'neutral',
  Pending: 'running',
  Retrying: 'warning',
  Succeeded: 'good',
  Failed: 'bad',
  Cancelled: 'warning',
  NothingDue: 'neutral',
}
const states = Object.keys(kinds) as State[]

/** The computers of the rollout; ring and state are in the address. */
export function RolloutComputers({ rollout }: { rollout: Rollout }) {
  const rollouts = useRolloutTexts()
  const texts = rollouts.computers
  const filters = useFilters(['ring', 'state'], { state: states, ring: rollout.rings.map(({ ring }) => String(ring)) })
  const state = states.find((name) => name === filters.values.state)
  const ring = rollout.rings.find((one) => String(one.ring) === filters.values.ring)?.ring
  const failure = useFailureFilter()
  const query = {
    ...(ring !== undefined && { ring }),
    ...(state && { state }),
    ...(failure.exitCode !== null && { exitCode: failure.exitCode }),
    ...(failure.cause && { error: failure.cause }),
  }
  const pages = useListPages({
    queryKey: ['rollout', rollout.rolloutId, 'computers', query],
    load: (page) =>
      api.GET('/api/rollouts/{id}/computers', {
        params: { path: { id: rollout.rolloutId }, query: { top: 50, ...query, ...page } },
      }),
  })
  return (
    <Section
      id="computers"
      title={rollouts.rollout.computersTitle}
      actions={pages.total !== undefined && <Text size="sm">{texts.total(pages.total)}</Text>}
    >
      <Group mb="sm" align="flex-end">
        <Select
          label={texts.ring}
          placeholder={texts.allRings}
          clearable
          data={rollout.rings.map(({ ring, name }) => ({
            value: String(ring),
            label: name === String(ring) ? rollouts.ring(ring) : visibleLine(name),
          }))}
          value={ring === undefined ? null : String(ring)}
          onChange={(value) => filters.set({ ring: value ?? '' })}
        />
        <Select
          label={texts.state}
          placeholder={texts.allStates}
          clearable
          data={states.map((value) => ({ value, label: texts.states[value] }))}
          value={state ?? null}
          onChange={(value) => filters.set({ state: value ?? '' })}
        />
        <FailureFilter {...failure} />
      </Group>
      <DataTable
        caption={rollouts.rollout.computersTitle}
        columns={columnsOf(rollouts)}
        rows={pages.rows}
        rowKey={({ computerId }) => computerId}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: texts.emptyTitle, text: texts.emptyText }}
        footer={<LoadMore query={pages} />}
      />
    </Section>
  )
}

function columnsOf({ computers: texts, ring, failures }: RolloutTexts): Column<RolloutComputer>[] {
  return [
    {
      id: 'hostname',
      title: texts.hostname,
      cell: ({ computerId, hostname }) => (
        <Anchor component={Link} to={`/computers/${computerId}`} size="sm">
          {hostname}
        </Anchor>
      ),
      width: 190,
    },
    { id: 'ring', title: texts.ring, cell: (row) => ring(row.ring), width: 90 },
    {
      id: 'state',
      title: texts.state,
      cell: ({ state }) => <StatusBadge kind={kinds[state]}>{texts.states[state]}</StatusBadge>,
      width: 150,
    },
    {
      id: 'released',
      title: texts.released,
      cell: ({ releasedAtUtc }) => releasedAtUtc && <Moment at={releasedAtUtc} />,
      width: 170,
    },
    {
      id: 'finished',
      title: texts.finished,
      cell: ({ finishedAtUtc }) => finishedAtUtc && <Moment at={finishedAtUtc} />,
      width: 170,
    },
    {
      id: 'error',
      title: texts.error,
      cell: ({ exitCode, error }) =>
        [exitCode === null ? '' : failures.exitCode(exitCode), error && readableCause(error)]
          .filter(Boolean)
          .join(' · '),
    },
  ]
}

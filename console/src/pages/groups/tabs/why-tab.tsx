import { Select, Stack, Text } from '@mantine/core'
import { visibleLine } from '@muster/text'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { components } from '../../../api/types.ts'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { Loading } from '../../../components/loading.tsx'
import { Moment } from '../../../components/moment.tsx'
import { OutcomeBar } from '../../../components/outcome-bar.tsx'
import { ProblemView } from '../../../components/problem-view.tsx'
import { useFormat } from '../../../texts/format.ts'
import { textFor, useTexts } from '../../../texts/texts.tsx'
import { explanationQuery, type GroupPageData } from '../group-queries.ts'
import classes from '../groups-page.module.css'

type Reason = components['schemas']['GroupExplanation']['reasons'][number]

/** Why computers of the group do not have a package yet. */
export function WhyTab({ page }: { page: GroupPageData }) {
  const { groups } = useTexts()
  const [params, setParams] = useSearchParams()
  const packages = page.assignments.filter(({ type }) => type === 'Package')
  const packageId = params.get('package') ?? packages[0]?.objectId
  const choose = (id: string | null) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (id) after.set('package', id)
        return after
      },
      { replace: true, preventScrollReset: true },
    )
  if (!packageId) return <Text c="dimmed">{groups.noAssignmentsHint}</Text>
  return (
    <Stack gap="md">
      <Select
        label={groups.package}
        data={packages.map(({ objectId, name, version }) => ({
          value: objectId,
          label: visibleLine([name, version].filter(Boolean).join(' ')),
        }))}
        value={packageId}
        onChange={choose}
        searchable
        allowDeselect={false}
        maw={420}
      />
      <Explanation id={page.id} packageId={packageId} />
    </Stack>
  )
}

function Explanation({ id, packageId }: { id: string; packageId: string }) {
  const { groups } = useTexts()
  const format = useFormat()
  const { data, error, refetch } = useQuery(explanationQuery(id, packageId))
  if (error && !data) return <ProblemView error={error} onRetry={refetch} />
  if (!data) return <Loading height={160} />
  const { verdicts, columns } = groups
  const number = (value: number) => <span className={classes.number}>{format.number(value)}</span>
  const shown: Column<Reason>[] = [
    { id: 'reason', title: columns.reason, cell: ({ reason }) => textFor(groups.reasons, reason) ?? reason },
    { id: 'first', title: columns.first, width: 130, cell: ({ first }) => number(first) },
    { id: 'computers', title: columns.concerned, width: 130, cell: ({ computers }) => number(computers) },
    {
      id: 'end',
      title: columns.ends,
      width: 180,
      cell: ({ earliestEndUtc }) => (earliestEndUtc ? <Moment at={earliestEndUtc} /> : groups.bySomebody),
    },
  ]
  return (
    <>
      <OutcomeBar
        label={groups.states}
        parts={[
          { kind: 'good', value: data.installed, label: verdicts.installed },
          { kind: 'running', value: data.running, label: verdicts.running },
          { kind: 'running', value: data.due, label: verdicts.due },
          { kind: 'warning', value: data.waiting, label: verdicts.waiting },
          { kind: 'bad', value: data.failed, label: verdicts.failed },
          { kind: 'neutral', value: data.notActivated, label: verdicts.notActivated },
          { kind: 'neutral', value: data.nothingToDo, label: verdicts.nothingToDo },
          { kind: 'neutral', value: data.notApplicable, label: verdicts.notApplicable },
        ]}
      />
      <DataTable
        caption={groups.whyWaiting}
        columns={shown}
        rows={data.reasons}
        rowKey={({ reason }) => reason}
        error={undefined}
        onRetry={() => undefined}
        empty={{ title: groups.nobodyWaits, text: groups.nobodyWaitsHint }}
      />
    </>
  )
}

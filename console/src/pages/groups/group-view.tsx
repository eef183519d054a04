import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { AddressTabs } from '../../components/address-tabs.tsx'
import { Loading } from '../../components/loading.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { useLive } from '../../live/use-live.ts'
import { useTexts } from '../../texts/texts.tsx'
import { groupKey, groupQuery } from './group-queries.ts'
import { GroupSummary } from './group-summary.tsx'
import { MembersTab } from './tabs/members-tab.tsx'

// Loaded when they are opened: their forms are large, and the page shows others first.
const AssignmentsTab = lazy(async () => ({ default: (await import('./tabs/assignments-tab.tsx')).AssignmentsTab }))
const VariablesTab = lazy(async () => ({ default: (await import('./tabs/variables-tab.tsx')).VariablesTab }))
const OptionsTab = lazy(async () => ({ default: (await import('./tabs/options-tab.tsx')).OptionsTab }))
const SubgroupsTab = lazy(async () => ({ default: (await import('./tabs/subgroups-tab.tsx')).SubgroupsTab }))
const WhyTab = lazy(async () => ({ default: (await import('./tabs/why-tab.tsx')).WhyTab }))

type GroupViewProps = { id: string; tab: string | undefined; query: string }

/** The chosen group: its figures, and tabs with everything that belongs to it. */
export function GroupView({ id, tab, query }: GroupViewProps) {
  const { groups } = useTexts()
  const { data: page, error, refetch } = useQuery(groupQuery(id))
  useLive({
    types: ['muster.group.*', 'muster.assignment.*', 'muster.work.*', 'muster.rollout.*'],
    refreshes: [groupKey(id)],
  })
  if (error && !page) return <ProblemView error={error} onRetry={refetch} />
  if (!page) return <Loading height={320} />
  const { tabs } = groups
  return (
    <Stack gap="md">
      {page.description && <Text className="breakable">{page.description}</Text>}
      <GroupSummary page={page} />
      <AddressTabs
        base={`/groups/${id}`}
        tab={tab}
        search={query}
        label={groups.parts}
        tabs={[
          { id: 'members', label: tabs.members, content: () => <MembersTab page={page} /> },
          { id: 'assignments', label: tabs.assignments, content: () => <AssignmentsTab page={page} /> },
          { id: 'variables', label: tabs.variables, content: () => <VariablesTab page={page} /> },
          { id: 'options', label: tabs.options, content: () => <OptionsTab page={page} /> },
          { id: 'subgroups', label: tabs.subgroups, content: () => <SubgroupsTab page={page} query={query} /> },
          { id: 'why', label: tabs.why, content: () => <WhyTab page={page} /> },
        ]}
      />
    </Stack>
  )
}
